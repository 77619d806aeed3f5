package language

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
)

//go:embed data/*.gz
var dataFiles embed.FS

// The data are unpacked when a text first needs them.
var (
	english   = sync.OnceValue(loadModel)
	syllables = sync.OnceValue(loadSyllables)
	valences  = sync.OnceValue(loadValences)
)

// model is what Punkt learned of English.
type model struct {
	abbreviations map[string]bool
	starters      map[string]bool
	collocations  map[[2]string]bool
	contexts      map[string]int
}

func loadModel() *model {
	var file struct {
		AbbrevTypes, SentStarters, Collocations map[string]int
		OrthoContext                            map[string]int
	}
	if err := json.Unmarshal(unpack("punkt.json.gz"), &file); err != nil {
		panic(fmt.Sprintf("the embedded sentence model: %v", err))
	}
	m := &model{
		abbreviations: map[string]bool{}, starters: map[string]bool{},
		collocations: map[[2]string]bool{}, contexts: file.OrthoContext,
	}
	for word := range file.AbbrevTypes {
		m.abbreviations[word] = true
	}
	for word := range file.SentStarters {
		m.starters[word] = true
	}
	for pair := range file.Collocations {
		first, second, _ := strings.Cut(pair, ",")
		m.collocations[[2]string{first, second}] = true
	}
	return m
}

// loadSyllables reads the words that do not have just one syllable: a line for each
// count.
func loadSyllables() map[string]int8 {
	counts := make(map[string]int8, 1<<17)
	for line := range strings.Lines(string(unpack("syllables.txt.gz"))) {
		words := strings.Fields(line)
		n, err := strconv.ParseInt(words[0], 10, 8)
		if err != nil {
			panic(fmt.Sprintf("the embedded dictionary: %v", err))
		}
		for _, word := range words[1:] {
			counts[word] = int8(n)
		}
	}
	return counts
}

// loadValences reads the mean rating of each word of VADER's lexicon, -4 to 4.
func loadValences() map[string]float64 {
	ratings := make(map[string]float64, 1<<13)
	lines := bufio.NewScanner(bytes.NewReader(unpack("vader.txt.gz")))
	for lines.Scan() {
		word, rating, _ := strings.Cut(lines.Text(), "\t")
		f, err := strconv.ParseFloat(rating, 64)
		if err != nil {
			panic(fmt.Sprintf("the embedded lexicon: %v", err))
		}
		ratings[word] = f
	}
	return ratings
}

func unpack(name string) []byte {
	text, err := dataFiles.ReadFile("data/" + name)
	if err != nil {
		panic(fmt.Sprintf("embedded data: %v", err))
	}
	z, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		panic(fmt.Sprintf("embedded %s: %v", name, err))
	}
	if text, err = io.ReadAll(z); err != nil {
		panic(fmt.Sprintf("embedded %s: %v", name, err))
	}
	return text
}
