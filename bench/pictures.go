package main

import (
	"fmt"
	"image/jpeg"
	"os"
	"path/filepath"
	"strings"
)

// wantPictures is one for each of the form's seven pages and one for the answer.
const wantPictures = 8

// describe lists what the kept pictures are, so that a reader sees whether the
// contenders took the same ones.
func describe(dir string) (string, error) {
	var sizes []string
	var total int64
	for n := range wantPictures {
		path := filepath.Join(dir, fmt.Sprintf("%d.jpg", n+1))
		w, h, bytes, err := measurePicture(path)
		if err != nil {
			return "", err
		}
		total += bytes
		sizes = append(sizes, fmt.Sprintf("%dx%d", w, h))
	}
	return fmt.Sprintf("%d KB: %s", total>>10, strings.Join(sizes, " ")), nil
}

func measurePicture(path string) (w, h int, bytes int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, 0, 0, err
	}
	defer f.Close()
	cfg, err := jpeg.DecodeConfig(f)
	if err != nil {
		return 0, 0, 0, fmt.Errorf("reading %s: %w", path, err)
	}
	info, err := f.Stat()
	if err != nil {
		return 0, 0, 0, err
	}
	return cfg.Width, cfg.Height, info.Size(), nil
}
