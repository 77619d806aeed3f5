package serve

import (
	"testing"
	"testing/synctest"
	"time"
)

// A session that is not used for long ends; one that is called does not, and
// neither does one whose call takes longer than that.
func TestIdleSessionsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := make(chan string, 8)
		s := &sessions{
			max: 8, each: 8, idle: time.Hour, live: func() map[string]bool { return nil },
			end: func(id string) { ended <- id },
		}
		for _, id := range []string{"idle", "used", "busy"} {
			s.opened(id, "anna")
		}
		told := 0
		done := s.during("busy", func() { told++ })
		for range 5 {
			<-time.After(40 * time.Minute)
			if !s.use("used", "anna", false) {
				t.Fatal("a session that is used ended")
			}
		}
		if id := <-ended; id != "idle" || s.has("idle") || !s.has("busy") {
			t.Errorf("%s ended while a call ran", id)
		}
		<-time.After(time.Minute)
		done()
		<-time.After(59 * time.Minute)
		if id := <-ended; id != "used" || !s.has("busy") {
			t.Errorf("%s ended: the time of a session does not begin when its call ends", id)
		}
		<-time.After(2 * time.Minute)
		synctest.Wait()
		if id := <-ended; id != "busy" || told != 0 || len(ended) > 0 {
			t.Errorf("%s ended at last, and the call was told %d times", id, told)
		}
	})
}

// Ending a session ends its calls, and after the server closed no session ends late.
func TestAnEndedSessionEndsItsCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &sessions{max: 8, each: 8, idle: time.Hour, live: func() map[string]bool { return nil }, end: func(id string) { t.Errorf("%s ended late", id) }}
		told := make(chan struct{})
		s.opened("one", "anna")
		s.opened("two", "anna")
		defer s.during("one", func() { close(told) })()
		s.forget("one")
		<-told
		s.close()
		<-time.After(3 * time.Hour)
		synctest.Wait()
	})
}
