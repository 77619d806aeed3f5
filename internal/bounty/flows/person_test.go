package flows

import (
	"bytes"
	"encoding/json"
	"html"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// person is somebody who works through the routes of the board.
type person struct {
	board   *board
	session string
}

// sixDigits is the code of a letter in either language.
var sixDigits = regexp.MustCompile(`\b\d{6}\b`)

// mailedCode reads the newest code that was mailed to an address. It comes from the
// development mailbox, which any visitor can read.
func (b *board) mailedCode(t *testing.T, email string) (code string) {
	t.Helper()
	anybody := &person{board: b}
	await(t, "the mail with the code", func() bool {
		_, mine, found := strings.Cut(anybody.page(t, b.url+"/dev/mail"), email) // the newest letter comes first
		if found {
			code = sixDigits.FindString(mine)
		}
		return code != ""
	})
	return code
}

// signIn makes a person with a profile. The code comes from the development mailbox.
func (b *board) signIn(t *testing.T, email string) *person {
	t.Helper()
	p := &person{board: b}
	id := p.must(t, "POST", "/api/humans/sign-in", args{"email": email, "lang": "en"}).string("verification_id")
	p.session = p.must(t, "POST", "/api/humans/sign-in/confirm", args{"verification_id": id, "code": b.mailedCode(t, email)}).string("session")
	p.must(t, "POST", "/api/me", args{
		"handle": strings.Split(email, "@")[0], "lang": "en", "country": "JP", "prefecture": "東京都", "city": "杉並区", "areas": []string{"東京都/杉並区"},
		"skills": []string{"photo"}, "languages": []string{"ja", "en"},
	})
	return p
}

// page reads the text of a page as anybody.
func (p *person) page(t *testing.T, url string) string {
	t.Helper()
	return html.UnescapeString(string(p.file(t, url)))
}

// file reads a file as anybody.
func (p *person) file(t *testing.T, url string) []byte {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d, %v", url, res.StatusCode, err)
	}
	return raw
}

func (p *person) must(t *testing.T, method, path string, body args) args {
	t.Helper()
	status, out := p.do(t, method, path, body)
	if status < 200 || status > 299 {
		t.Fatalf("%s %s: %d %v\n%s", method, path, status, out, p.board.log)
	}
	return out
}

func (p *person) do(t *testing.T, method, path string, body args) (int, args) {
	t.Helper()
	var in io.Reader
	if body != nil {
		raw, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		in = bytes.NewReader(raw)
	}
	return p.send(t, method, path, "application/json", in)
}

func (p *person) send(t *testing.T, method, path, kind string, body io.Reader) (int, args) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, p.board.url+path, body)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", kind)
	if p.session != "" {
		req.Header.Set("Authorization", "Bearer "+p.session)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	out := args{}
	if err := json.NewDecoder(res.Body).Decode(&out); err != nil {
		t.Fatalf("%s %s: %d, %v", method, path, res.StatusCode, err)
	}
	return res.StatusCode, out
}

// apply applies for a task.
func (p *person) apply(t *testing.T, task string) {
	t.Helper()
	p.must(t, "POST", "/api/tasks/"+task+"/apply", args{"cover_letter": "I live near.", "availability": "today"})
}

// write delivers a text.
func (p *person) write(t *testing.T, task, text string) {
	t.Helper()
	p.must(t, "POST", "/api/submissions", args{"task_id": task, "type": "text", "text": text})
}

// sayYes has the person take whatever is offered until stop, which says how many they took.
func (p *person) sayYes(t *testing.T) (stop func() int) {
	over, taken := make(chan struct{}), make(chan int, 1)
	go func() {
		tick := time.NewTicker(200 * time.Millisecond)
		defer tick.Stop()
		n := 0
		defer func() { taken <- n }()
		for {
			select {
			case <-over:
				return
			case <-tick.C:
			}
			_, out := p.do(t, "GET", "/api/me/offers", nil)
			offers, _ := out.at("offers").([]any)
			for _, o := range offers {
				if status, _ := p.do(t, "POST", "/api/offers/"+args(o.(map[string]any)).string("id")+"/accept", args{}); status == http.StatusOK {
					n++
				}
			}
		}
	}()
	stop = sync.OnceValue(func() int {
		close(over)
		return <-taken
	})
	t.Cleanup(func() { stop() })
	return stop
}

// moved are the yen that the person's account shows, by the kind of posting.
func (p *person) moved(t *testing.T) map[string]float64 {
	t.Helper()
	out := map[string]float64{}
	list, _ := p.must(t, "GET", "/api/me/payments", nil).at("payments").([]any)
	for _, x := range list {
		e := args(x.(map[string]any))
		yen, _ := e.at("amount_minor").(float64)
		out[e.string("kind")] += max(yen, -yen)
	}
	return out
}

// earned is what the person has earned in yen so far, whether it was paid out or not.
func (p *person) earned(t *testing.T) (yen float64) { t.Helper(); return p.moved(t)["release"] }
