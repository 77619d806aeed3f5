package wire

import (
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestMembers(t *testing.T) {
	for raw, want := range map[string]struct {
		all   []string
		whole bool
	}{
		`{}`:                               {nil, true},
		` { "a" : 1 , "b":[1,{"c":"}"}] }`: {[]string{"a=1", `b=[1,{"c":"}"}]`}, true},
		`{"a\"b":"x\\","é":-1.5e9}`:        {[]string{`a"b="x\\"`, "é=-1.5e9"}, true},
		`{"a":{"b":{}},"a":null}`:          {[]string{`a={"b":{}}`, "a=null"}, true},
		`{"a":1,"b":{"c`:                   {[]string{"a=1"}, false},
		`{"id":7,"result":"xxx`:            {[]string{"id=7"}, false},
		`{"a"`:                             {nil, false},
		`[1]`:                              {nil, false},
		``:                                 {nil, false},
	} {
		all, whole := members([]byte(raw))
		var got []string
		for _, m := range all {
			got = append(got, m.key+"="+string(m.value))
		}
		if !slices.Equal(got, want.all) || whole != want.whole {
			t.Errorf("%s splits into %q, whole %v", raw, got, whole)
		}
	}
}

// FuzzMembers: what is valid JSON is split as encoding/json reads it, and what is not
// does no harm.
func FuzzMembers(f *testing.F) {
	for _, s := range []string{`{"a":1}`, `{"a":[{"b":"\\\""}],"c":{}}`, `{"a"`, `[[1,2],{"x":null}]`, "{\"a\":\t1\r\n}", `{"":0.1e-1}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		all, whole := members(raw)
		list, isList := items(raw)
		if !json.Valid(raw) {
			return
		}
		want, array := map[string]json.RawMessage{}, []json.RawMessage{}
		isObject := json.Unmarshal(raw, &want) == nil && want != nil
		if whole != isObject {
			t.Fatalf("an object: %v, not %v", whole, isObject)
		}
		got := map[string]json.RawMessage{}
		for _, m := range all {
			got[m.key] = m.value
		}
		if whole && len(got) != len(want) {
			t.Errorf("it has the members %q, not %q", got, want)
		}
		isArray := json.Unmarshal(raw, &array) == nil && array != nil
		if isList != isArray || isList && len(list) != len(array) {
			t.Errorf("it has %d items, not %d", len(list), len(array))
		}
	})
}

func TestWithMeta(t *testing.T) {
	add := []member{{"p", json.RawMessage(`1`)}, {"q", json.RawMessage(`2`)}}
	for params, want := range map[string]string{
		``:                                `{"_meta":{"p":1,"q":2}}`,
		`{"a":1.0}`:                       `{"a":1.0,"_meta":{"p":1,"q":2}}`,
		`{"_meta":{"p":9,"z":0},"a":"<"}`: `{"_meta":{"p":9,"z":0,"q":2},"a":"<"}`,
		`{"_meta":7}`:                     `{"_meta":7}`,
		`[1]`:                             `[1]`,
	} {
		if got := string(withMeta(json.RawMessage(params), add)); got != want {
			t.Errorf("%s becomes %s", params, got)
		}
	}
}

func TestEnvelopeKeysHaveACase(t *testing.T) {
	e, ok := open([]byte(`{"jsonrpc":"2.0","Method":"initialize","method":"tools/call","ID":1,"id":2}`))
	if !ok || e.method != "tools/call" || string(e.id) != "2" || len(e.problems) != 0 {
		t.Errorf("it is read as %+v", e)
	}
}

func TestEventReader(t *testing.T) {
	now := time.Unix(7, 0)
	stream := "\xef\xbb\xbf: comment\nid: 1\nevent: a\ndata: x\ndata:  y\ndata\n\n" +
		"event: lost\n\nretry: 1500\r\ndata: z\r\rdata: q\nid: bad\x00\nretry: -1\nretry: 1e3\nnonsense\n\ndata: cut"
	for name, r := range map[string]io.Reader{
		"at once": strings.NewReader(stream), "byte by byte": iotest.OneByteReader(strings.NewReader(stream)),
	} {
		e := newEventReader(r, 100, func() time.Time { return now })
		var got []StreamEvent
		for {
			ev, err := e.next()
			if err != nil {
				break
			}
			got = append(got, ev)
		}
		want := []StreamEvent{
			{At: now, ID: "1", Type: "a", Data: []byte("x\n y\n"), Retry: -1},
			{At: now, ID: "1", Type: "message", Data: []byte("z"), Retry: 1500 * time.Millisecond, CRLF: true},
			{At: now, ID: "1", Type: "message", Data: []byte("q"), Retry: -1, CRLF: true},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if e.odd != 1 || string(e.oddOne) != "nonsense" {
			t.Errorf("%s: %d odd lines such as %s", name, e.odd, e.oddOne)
		}
	}
}

func TestRecorder(t *testing.T) {
	hide := &redactor{}
	hide.learn("s3cr3t-\"x\"", "short")
	r := &recorder{now: time.Now, hide: hide, limits: Limits{Transcript: 4000, Entries: 100, Stderr: 50}}
	r.add(Entry{Direction: Sent, Note: `s3cr3t-"x"`}, []byte(`a s3cr3t-\"x\" in JSON, s3cr3t-%22x%22 in an address, short`))
	first := r.since(0, 0).Entries[0]
	if got := string(first.Bytes) + first.Note; got != "a [redacted] in JSON, [redacted] in an address, short[redacted]" {
		t.Errorf("it holds %s", got)
	}
	r.add(Entry{Direction: Received}, make([]byte, 100000))
	for range 50 {
		r.add(Entry{Direction: Received}, make([]byte, 100))
		r.add(Entry{Direction: Stderr}, make([]byte, 40))
	}
	tr := r.since(0, 0)
	total := 0
	for i, e := range tr.Entries {
		total += len(e.Bytes)
		if e.Direction == Stderr && len(e.Bytes) > 0 && i > 4 {
			t.Errorf("entry %d keeps error output over its limit", e.Seq)
		}
	}
	if total > 4000 || len(tr.Entries) > 100 || tr.Lost == 0 || tr.Gone == 0 || tr.Entries[len(tr.Entries)-1].Seq != 102 {
		t.Errorf("it keeps %d bytes in %d entries, lost %d, and %d without their bytes", total, len(tr.Entries), tr.Lost, tr.Gone)
	}
	if page := r.since(tr.Entries[0].Seq, 5); len(page.Entries) != 5 || page.Entries[0].Seq != tr.Entries[0].Seq+1 {
		t.Errorf("a page is %+v", page)
	}
}

func TestEventsWakeThoseWhoWait(t *testing.T) {
	l := &eventLog{most: 10, bytes: 1000}
	old, more := l.after(0)
	l.add(Message{Method: "x"}, "7")
	select {
	case <-more:
	default:
		t.Error("nobody was woken")
	}
	if events, _ := l.after(0); len(old) != 0 || len(events) != 1 || events[0].Call != "7" {
		t.Errorf("the events are %+v", events)
	}
}

func TestHeadersAreRedacted(t *testing.T) {
	r := &redactor{}
	r.learnHeader(map[string][]string{"X-Mine": {"Token abcdefgh"}})
	got := r.header(map[string][]string{"Set-Cookie": {"a=b"}, "X-Mine": {"Token abcdefgh"}, "X-Echo": {"it was abcdefgh"}, "Content-Type": {"x"}})
	want := map[string][]string{"Set-Cookie": {redacted}, "X-Mine": {redacted}, "X-Echo": {"it was " + redacted}, "Content-Type": {"x"}}
	if diff := cmp.Diff(want, map[string][]string(got)); diff != "" {
		t.Error(diff)
	}
}

// TestCutting: many secrets make the bytes before a cut shorter, and leave no half of one.
func TestCutting(t *testing.T) {
	r := &redactor{}
	r.learn("the-token-of-somebody")
	for most := range 200 {
		for pad := range 30 {
			text := strings.Repeat("x", pad) + strings.Repeat("the-token-of-somebody", 50)
			if got := string(r.cut([]byte(text), most)); strings.Contains(strings.ReplaceAll(got, redacted, ""), "the") || len(got) > most {
				t.Fatalf("%d of %d bytes: %s", most, len(text), got)
			}
		}
	}
	if got := string(r.cut([]byte("say the"), 100)); got != "say the" {
		t.Errorf("what is whole became %q", got)
	}
}
