package runner

import (
	"testing"
	"time"
)

func TestQualityGivesWayToTheNumberOfPictures(t *testing.T) {
	const window = 1280 * 1024
	for _, c := range []struct{ asked, pictures, want int }{
		{80, 1, 80}, {80, 4, 80}, {50, 8, 50}, {80, 8, 69}, {95, 100, lowestQuality}, {30, 100, 30},
	} {
		if got := qualityFor(c.asked, c.pictures, window); got != c.want {
			t.Errorf("quality %d for %d pictures: got %d, want %d", c.asked, c.pictures, got, c.want)
		}
	}
}

func TestOldRunsGiveUpTheirPictures(t *testing.T) {
	rs := newRuns(4, 4, time.Hour, nil)
	add := func(id string, age time.Duration) *execution {
		a := Answer{ScreenshotCount: 1, Screenshots: []ScreenshotRef{{}}, images: []picture{{data: make([]byte, pictureRoom*2/3)}}}
		x := &execution{id: id, started: time.Now().Add(-age), answer: &a}
		rs.byID[id] = x
		return x
	}
	old, recent := add("old", time.Minute), add("recent", time.Second)
	rs.mu.Lock()
	rs.forget()
	rs.mu.Unlock()
	if recent.pictureBytes() == 0 {
		t.Error("the latest run lost its pictures")
	}
	if a := old.answer; len(a.images) != 0 || len(a.Screenshots) != 0 || a.ScreenshotCount != 0 || len(a.Warnings) != 1 {
		t.Errorf("the older run keeps %d pictures, %d in its index, and says %q", len(a.images), len(a.Screenshots), a.Warnings)
	}
}
