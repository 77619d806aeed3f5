package notify_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/board/notify"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// lineStandIn answers as LINE's Messaging API does and keeps what it took.
type lineStandIn struct {
	status int    // of the next answers; 0 for what LINE would say
	body   string // with it
	asked  int
	taken  map[string]string // texts by retry key
	last   string            // to whom
	alone  bool              // who is written to has blocked the account
}

func (s *lineStandIn) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	answer := func(status int, body string) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
	var in struct {
		To       string
		Messages []struct{ Type, Text string }
	}
	if r.Method == http.MethodGet { // a profile
		switch {
		case r.URL.Path != "/profile/"+lineID || r.Header.Get("Authorization") != "Bearer token":
			answer(401, `{"message":"Authentication failed"}`)
		case s.alone:
			answer(404, `{"message":"Not found"}`)
		default:
			answer(200, `{"userId":"`+lineID+`","displayName":"Hanako"}`)
		}
		return
	}
	s.asked++
	key := r.Header.Get("X-Line-Retry-Key")
	switch err := json.NewDecoder(r.Body).Decode(&in); {
	case r.Header.Get("Authorization") != "Bearer token":
		answer(401, `{"message":"Authentication failed due to the following reason: invalid token. Confirm that the access token in the authorization header is valid."}`)
	case s.status != 0:
		answer(s.status, s.body)
	case err != nil || len(in.Messages) != 1 || in.Messages[0].Type != "text" || in.Messages[0].Text == "":
		answer(400, `{"message":"The request body has 1 error(s)","details":[{"message":"May not be empty","property":"messages[0].text"}]}`)
	case s.taken[key] != "":
		answer(409, `{"message":"The retry key is already accepted"}`)
	default:
		s.taken[key], s.last = in.Messages[0].Text, in.To
		answer(200, `{"sentMessages":[{"id":"461230966842064897","quoteToken":"IStG5h1Tz7b"}]}`)
	}
}

const lineID = "Uabcdef0123456789abcdef0123456789"

func newLINE(t *testing.T) (*notify.LINE, *lineStandIn) {
	t.Helper()
	s := &lineStandIn{taken: map[string]string{}}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return &notify.LINE{Token: "token", Endpoint: server.URL + "/push", Profiles: server.URL + "/profile/", Client: server.Client()}, s
}

func lineLetter() notify.Letter {
	return notify.Letter{ID: "0190a1b2-0000-7000-8000-000000000001", To: notify.LINEAddress(lineID), Subject: "決まりました", Body: "詳しくは https://board.example.org/me", At: noon}
}

// Nothing is delivered twice, also when the answer to the first attempt was lost.
func TestLINE(t *testing.T) {
	line, s := newLINE(t)
	for range 3 {
		if err := line.Send(t.Context(), lineLetter()); err != nil {
			t.Fatal(err)
		}
	}
	if len(s.taken) != 1 || s.asked != 3 || s.last != lineID || !strings.Contains(s.taken[lineLetter().ID], "決まりました") {
		t.Errorf("it took %v from %d attempts, for %s", s.taken, s.asked, s.last)
	}
}

// What is worth another attempt is tried again, what is not is given up, and no error
// quotes a token, an address or a text.
func TestLINEErrors(t *testing.T) {
	for _, c := range []struct {
		status int
		body   string
		kind   fault.Kind
	}{
		{400, `{"message":"The property, 'to', in the request body is invalid (line: -, column: -)"}`, fault.Invalid},
		{413, `{"message":"Payload too large"}`, fault.Invalid},
		{401, `{"message":"Authentication failed"}`, fault.Denied},
		{403, `{"message":"Not available for your account"}`, fault.Denied},
		{429, `{"message":"You have reached your monthly limit."}`, fault.Limited},
		{500, `{"message":"Internal error"}`, fault.Internal},
		{302, ``, fault.Internal},
	} {
		line, s := newLINE(t)
		s.status, s.body = c.status, c.body
		err := line.Send(t.Context(), lineLetter())
		if err == nil || fault.From(err).Kind != c.kind {
			t.Errorf("%d: %v", c.status, err)
			continue
		}
		for _, secret := range []string{"token", lineID, "決まりました", "monthly"} {
			if strings.Contains(err.Error(), secret) {
				t.Errorf("%d: the error quotes %q: %v", c.status, secret, err)
			}
		}
	}
	line, s := newLINE(t)
	s.alone = true
	if err := line.Send(t.Context(), lineLetter()); err == nil || fault.From(err).Kind != fault.Invalid || s.asked > 0 {
		t.Errorf("somebody who has blocked the account: %v, %d messages", err, s.asked)
	}
	for _, to := range []string{"line:", "line:U123", "line:" + strings.ToUpper(lineID), "line:" + lineID + "\r\n", "line:R" + lineID[1:]} {
		l := lineLetter()
		l.To = to
		if err := line.Send(t.Context(), l); err == nil || fault.From(err).Kind != fault.Invalid {
			t.Errorf("%q: %v", to, err)
		}
	}
	if s.asked != 0 {
		t.Error("LINE was asked about addresses that are none")
	}
}

func TestLongLINE(t *testing.T) {
	line, s := newLINE(t)
	l := lineLetter()
	l.Body = strings.Repeat("𠮷", 4000)
	if err := line.Send(t.Context(), l); err != nil {
		t.Fatal(err)
	}
	if n := len([]rune(s.taken[l.ID])); n < 2400 || n > 2510 {
		t.Errorf("%d characters of two code units were sent", n)
	}
}
