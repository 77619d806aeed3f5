package page

import (
	"context"
	"strings"
	"time"
)

// The texts that are typed to bring out every suggestion: vowels first, since
// nearly every answer has one, and pairs where a single letter brings nothing. The
// pairs cover the names of all countries and of many places, the commonest first.
const (
	vowels     = "aeiouy"
	consonants = "bcdfghjklmnpqrstvwxz"
	pairs      = "an in on al ar ne or er ia ta ma is en ai om la ch ra ba te io ru ho am ou to li ak ro iu ul co re st rk va ri no uy pt im fi se az yi it be ya nu ag"

	cappedPairs = 20 // before a list that is cut is given up
	leastPairs  = 30 // before the rest may be given up
	fruitless   = 15 // pairs that brought nothing new, one after the other
)

// typed reads what typing brings. A list that opens whole is only tried on two
// letters; where each text brings some, the texts go through the alphabet.
func (s *seeker) typed(ctx context.Context) (bool, error) {
	opened := len(s.last.Items)
	if opened > 0 {
		for _, text := range []string{"e", "a"} {
			if err := s.query(ctx, text); err != nil {
				return false, err
			}
		}
		if len(s.last.Items) == opened {
			return true, nil
		}
	}
	return s.alphabet(ctx)
}

// alphabet goes through the letters until nothing new can come.
func (s *seeker) alphabet(ctx context.Context) (bool, error) {
	if err := s.first(ctx); err != nil || len(s.last.Items) == 0 {
		return false, err
	}
	if s.pairwise {
		return s.inPairs(ctx)
	}
	if err := s.each(ctx, strings.Split(vowels, "")); err != nil {
		return false, err
	}
	if s.capped() {
		return false, nil // there is no end to such a list, and a server that is asked in vain
	}
	if s.inside {
		before := len(s.last.Items)
		if err := s.each(ctx, []string{"t", "n", "1", "0"}); err != nil {
			return false, err
		}
		if len(s.last.Items) == before {
			return !s.capped(), nil
		}
	}
	err := s.each(ctx, append(strings.Split(consonants, ""), strings.Split("0123456789", "")...))
	return err == nil && !s.capped(), err
}

// inPairs goes through pairs of letters. A list is whole, as far as can be told,
// when texts are found inside words and many pairs bring nothing new.
func (s *seeker) inPairs(ctx context.Context) (bool, error) {
	vain := 0
	for i, text := range strings.Fields(pairs) {
		before := len(s.last.Items)
		if err := s.each(ctx, []string{text}); err != nil {
			return false, err
		}
		if vain++; len(s.last.Items) > before {
			vain = 0
		}
		if i >= cappedPairs && s.capped() || len(s.last.Items) >= s.limit || i >= leastPairs && vain >= fruitless {
			break
		}
	}
	return s.inside && vain >= fruitless && !s.capped(), nil
}

// first finds out how the control wants to be asked: with one letter, with real
// keys, or with two letters.
func (s *seeker) first(ctx context.Context) error {
	for _, try := range []struct {
		keys, pairwise bool
		texts          string
	}{{false, false, "a e s m c b"}, {true, false, "a s"}, {false, true, "an in ma st"}, {true, true, "an ma"}} {
		s.keys, s.pairwise, s.patience = try.keys, try.pairwise, firstPatience
		for _, text := range strings.Fields(try.texts) {
			if err := s.query(ctx, text); err != nil || len(s.last.Items) > 0 {
				return err
			}
		}
	}
	return nil
}

func (s *seeker) each(ctx context.Context, texts []string) error {
	for _, text := range texts {
		if len(s.last.Items) >= s.limit {
			return nil
		}
		if s.asked[text] && !s.keys {
			continue
		}
		if err := s.query(ctx, text); err != nil {
			return err
		}
	}
	return nil
}

// capped tells whether the page seems to cut its suggestions: the most that it
// ever offered came again and again.
func (s *seeker) capped() bool {
	most, times := 0, 0
	for _, n := range s.counts {
		switch {
		case n > most:
			most, times = n, 1
		case n == most:
			times++
		}
	}
	return most > 1 && times > 2
}

// query types one text and waits for what comes.
func (s *seeker) query(ctx context.Context, text string) error {
	if err := s.enter(ctx, text); err != nil {
		return err
	}
	s.asked[text] = true
	watch := stopwatch()
	changed := false
	for {
		waited := watch()
		if s.last.Changed && !changed {
			changed = true
			if s.last.Open > 0 {
				s.learn()
			}
		}
		settled := s.last.Quiet >= choicesSettled && !s.page.busy(s.baseline) && !s.last.More
		// The first list that only closes may be that of the text before.
		answered := changed && (s.last.Open > 0 || len(s.counts) > 0)
		if settled && (answered || waited > s.patience) || waited > 5*firstPatience || len(s.last.Items) >= s.limit {
			break
		}
		if err := s.step(ctx, map[string]any{"step": "look"}); err != nil {
			return err
		}
	}
	if !changed && len(s.counts) == 0 {
		s.patience = max(leastPatience, s.patience*3/4) // the first one waits longest
	}
	if changed && s.last.Most > 0 {
		s.counts = append(s.counts, s.last.Most)
	}
	if s.last.Open > 0 && !s.last.Prefix {
		s.inside = true
	}
	return nil
}

// learn takes the slowest answer yet as the measure of how long to wait. Two
// are needed: the first may have come late by chance. A list that only closes says
// nothing about it.
func (s *seeker) learn() {
	s.slowest = max(s.slowest, time.Duration(s.last.Since)*time.Millisecond)
	if len(s.counts) > 0 {
		s.patience = max(leastPatience, min(firstPatience, s.slowest*5/2+100*time.Millisecond))
	}
}

// enter types by script, or with real keys where only those count.
func (s *seeker) enter(ctx context.Context, text string) error {
	if err := s.step(ctx, map[string]any{"step": "type", "text": text, "keys": s.keys}); err != nil || !s.keys {
		return err
	}
	if err := s.page.tab.Press(ctx, s.frame, "Control+A", "Backspace"); err != nil {
		return err
	}
	return s.page.tab.Type(ctx, s.frame, text)
}
