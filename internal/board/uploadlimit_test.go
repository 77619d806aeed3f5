package board

import (
	"net/http"
	"strconv"
	"testing"
)

// TestUploadsAreCalls: what somebody does with uploads counts with their other calls,
// through the API as through the pages, and whoever shows nothing is counted by address.
func TestUploadsAreCalls(t *testing.T) {
	o := options(t, databases.SQLite(t))
	o.CallsPerMinute = 30
	s := open(t, o)
	s.running()
	_, session := s.signIn("hana@people.jp")
	_, other := s.signIn("taro@people.jp")
	for name, c := range map[string]struct {
		path, as string
		header   map[string]string
	}{
		"through the API":   {"/api/uploads/nothing", session, nil},
		"through the pages": {"/uploads/nothing", "", map[string]string{"Cookie": "board-session=" + other}},
		"as nobody":         {"/api/uploads/nothing", "", nil},
	} {
		refused := false
		for n := 0; n < 40 && !refused; n++ {
			status, header, text := s.request("HEAD", c.path, c.as, nil, c.header)
			if refused = status == http.StatusTooManyRequests; !refused {
				continue
			}
			after, err := strconv.Atoi(header.Get("Retry-After"))
			if header.Get("X-Reason") != "rate_limited" || err != nil || after < 1 {
				t.Errorf("%s: %v %s", name, header, text)
			}
		}
		if !refused {
			t.Errorf("%s: 40 requests of 30 in a minute were taken", name)
		}
	}
	if status, _, _ := s.request("GET", "/api/me", session, nil, nil); status != http.StatusTooManyRequests {
		t.Errorf("the API takes more: %d", status)
	}
}
