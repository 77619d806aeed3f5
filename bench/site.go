package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/practice"
)

// formSite is the form of the benchmark, and the wizard that describes it.
// formCase is the usual way through it, and the one with the most fields that the
// hand-written scripts know.
const (
	formSite = "fsa-estimator"
	formCase = "dependent-married-parents"
)

// Terms of the answer page.
const (
	termReference = "Practice reference"
	termIndex     = "Student Aid Index (SAI)"
)

// site is the practice site on loopback, and the judge of every run.
type site struct {
	*practice.Site
	addr string
	srv  *http.Server
	done chan error
	data map[string]any
}

func startSite(ctx context.Context) (*site, error) {
	s := &site{Site: practice.New(), done: make(chan error, 1)}
	var err error
	if s.data, err = userData(formSite + "/" + formCase + ".json"); err != nil {
		return nil, err
	}
	var lc net.ListenConfig
	ln, err := lc.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s.addr = ln.Addr().String()
	s.srv = &http.Server{Handler: s.Site, ReadHeaderTimeout: 10 * time.Second}
	go func() { s.done <- s.srv.Serve(ln) }()
	return s, nil
}

// userData reads the data of a case. Numbers stay as they are written.
func userData(path string) (map[string]any, error) {
	raw, err := fs.ReadFile(practice.DataSets(), path)
	if err != nil {
		return nil, err
	}
	var set struct {
		Data map[string]any `json:"data"`
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if err := dec.Decode(&set); err != nil {
		return nil, fmt.Errorf("reading data set %s: %w", path, err)
	}
	return set.Data, nil
}

func (s *site) close() error {
	err := s.srv.Close()
	if serve := <-s.done; !errors.Is(serve, http.ErrServerClosed) {
		err = errors.Join(err, serve)
	}
	return err
}

// check compares an answer with the site's own record: the reference that the
// contender read must belong to a submission of exactly the given data, and the
// index that it read must be the one that the site computed.
func (s *site) check(a answer) error {
	reference := strings.TrimSpace(a.Pairs[termReference])
	for _, sub := range s.Submissions() {
		if sub.Reference != reference {
			continue
		}
		if err := same(s.data, sub); err != nil {
			return fmt.Errorf("submission %s: %w", reference, err)
		}
		got, err := strconv.ParseFloat(strings.ReplaceAll(strings.TrimSpace(a.Pairs[termIndex]), ",", ""), 64)
		if want := sub.Answer["student_aid_index"]; err != nil || any(got) != want {
			return fmt.Errorf("the index was read as %q, the site says %v", a.Pairs[termIndex], want)
		}
		return nil
	}
	return fmt.Errorf("the site knows no submission %q", reference)
}

// same compares what was given with what was received. The record also names the
// boxes that stayed empty.
func same(given map[string]any, sub practice.Submission) error {
	if len(sub.Extra) > 0 {
		return fmt.Errorf("values that no page asked for: %v", sub.Extra)
	}
	for id, want := range given {
		if got := sub.Data[id]; fmt.Sprint(got) != fmt.Sprint(want) {
			return fmt.Errorf("%s is %v, not %v", id, got, want)
		}
	}
	for id, got := range sub.Data {
		if _, known := given[id]; !known && got != false {
			return fmt.Errorf("%s is %v, but was not given", id, got)
		}
	}
	return nil
}

// unique fails if a submission was counted for two runs, or none was.
func (s *site) unique(runs int) error {
	if n := len(s.Submissions()); n != runs {
		return fmt.Errorf("%d runs made %d submissions", runs, n)
	}
	return nil
}
