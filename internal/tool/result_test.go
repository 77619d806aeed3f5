package tool_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/tool"
)

// full is an output that uses every part of a result.
type full struct {
	Say    string            `json:"say"`
	List   []string          `json:"list"`
	Map    map[string]string `json:"map"`
	Deep   []inside          `json:"deep,omitempty"`
	Any    any               `json:"any"`
	images []tool.Image
	links  []tool.Link
	failed bool
}

type inside struct {
	Tags []string `json:"tags"`
}

func (f full) Text() string         { return f.Say }
func (f full) Images() []tool.Image { return f.images }
func (f full) Links() []tool.Link   { return f.links }
func (f full) Failed() bool         { return f.failed }

func returning[Out any](out Out, change func(*tool.Spec)) tool.Bound {
	return of(change, func(context.Context, none) (Out, error) { return out, nil })
}

func failing(err error) tool.Bound {
	return of(nil, func(context.Context, none) (full, error) { return full{Say: "half done"}, err })
}

func TestPartsComeInOrder(t *testing.T) {
	r := call(t, returning(full{
		Say: "done", failed: true, images: []tool.Image{{[]byte("a"), "image/png"}, {[]byte("b"), "image/jpeg"}},
		links: []tool.Link{{URI: "run://7", Name: "run 7", MIME: "text/html", Size: 12}},
	}, nil), `{}`)
	size := int64(12)
	want := []mcp.Content{
		&mcp.ImageContent{Data: []byte("a"), MIMEType: "image/png"}, &mcp.ImageContent{Data: []byte("b"), MIMEType: "image/jpeg"},
		&mcp.TextContent{Text: "done"}, &mcp.ResourceLink{URI: "run://7", Name: "run 7", MIMEType: "text/html", Size: &size},
	}
	if diff := cmp.Diff(want, r.Content); diff != "" {
		t.Errorf("content (-want +got):\n%s", diff)
	}
	if !r.IsError {
		t.Error("a failed output is no error")
	}
}

// Trap: a nil map in an output fails the SDK's output check, a nil slice goes out
// as null against its published type.
func TestNilMapsAndSlicesAreEmpty(t *testing.T) {
	r := call(t, returning(full{Deep: []inside{{}}}, nil), `{}`)
	if diff := cmp.Diff(`{"say":"","list":[],"map":{},"deep":[{"tags":[]}],"any":null}`, structured(t, r)); diff != "" {
		t.Errorf("structured (-want +got):\n%s", diff)
	}
}

// Trap: text made of JSON shows markup as escapes to the model.
func TestTextIsNotEscaped(t *testing.T) {
	type plain struct {
		HTML string `json:"html"`
	}
	r := call(t, returning(plain{`<a href="x">&</a>`}, nil), `{}`)
	if diff := cmp.Diff(`{"html":"<a href=\"x\">&</a>"}`, text(t, r)); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	raw, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var back struct {
		Content           []struct{ Text string }
		StructuredContent plain
	}
	if err := json.Unmarshal(raw, &back); err != nil {
		t.Fatal(err)
	}
	if back.StructuredContent.HTML != `<a href="x">&</a>` || back.Content[0].Text != text(t, r) {
		t.Errorf("on the wire: %s", raw)
	}
}

// Trap: the SDK overwrites the structured content of an error by the zero output.
func TestAFaultIsToldTwice(t *testing.T) {
	f := fault.New(fault.Limited, "busy", "All browsers are in use.", "Wait for a run to end.").
		WithData("queue", 3).WithData("success", true).WithRetryAfter(1500 * time.Millisecond).WithCause(errors.New("socket /tmp/x"))
	r := call(t, failing(fmt.Errorf("open: %w", f)), `{}`)
	if !r.IsError {
		t.Error("not marked as an error")
	}
	if diff := cmp.Diff("status: error (busy). All browsers are in use.\nWhat to do: Wait for a run to end.\nTry again in 2 s.", text(t, r)); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	want := `{"success":false,"status":"error","error_type":"busy","error":"All browsers are in use.",` +
		`"corrective_action":"Wait for a run to end.","timestamp":"2026-01-31T12:00:00Z","retry_after_seconds":2,"queue":3}`
	if diff := cmp.Diff(want, structured(t, r)); diff != "" {
		t.Errorf("structured (-want +got):\n%s", diff)
	}
}

func TestDataThatCannotBeWrittenDoesNotHideTheFault(t *testing.T) {
	f := fault.New(fault.Conflict, "gone", "It is gone.", "Start again.").WithData("f", func() {})
	if r := call(t, failing(f), `{}`); !strings.Contains(structured(t, r), `"error_type":"gone"`) {
		t.Errorf("structured %s", structured(t, r))
	}
}

func TestUnknownErrorsAreHidden(t *testing.T) {
	r := call(t, failing(errors.New("password=hunter2")), `{}`)
	raw, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(raw, []byte("hunter2")) || !strings.Contains(structured(t, r), `"error_id"`) {
		t.Errorf("result %s", raw)
	}
}

// wireSize is what the SDK sends for a result.
func wireSize(t *testing.T, r *mcp.CallToolResult) int {
	t.Helper()
	raw, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return len(raw)
}

func TestResultsStayWithinTheirBudget(t *testing.T) {
	const budget = 64 << 10
	picture := tool.Image{Data: bytes.Repeat([]byte{0xff}, 10<<10), MIME: "image/jpeg"}
	pictures := func(n int) []tool.Image {
		out := make([]tool.Image, n)
		for i := range out {
			out[i] = picture
		}
		return out
	}
	markup := strings.Repeat("<é>", 60<<10)
	links := make([]tool.Link, 2000)
	for i := range links {
		links[i] = tool.Link{URI: "run://" + strings.Repeat("x", 50), Name: "n"}
	}
	tests := map[string]struct {
		out    full
		images int
		says   []string
		lacks  string // from the structured content
		keeps  string
	}{
		"fits":             {full{Say: "ok", images: pictures(3)}, 3, []string{"ok"}, "", `"say":"ok"`},
		"pictures":         {full{Say: "ok", images: pictures(9)}, 4, []string{"ok\n[Cut", "5 of 9 images are left out."}, "", `"say":"ok"`},
		"markup":           {full{Say: markup}, 0, []string{"The text stops after", "lacks say."}, `"say"`, `"list":[]`},
		"markup, pictures": {full{Say: markup, images: pictures(9)}, 3, []string{"The text stops", "6 of 9 images"}, `"say"`, `"map":{}`},
		"structured":       {full{Say: "short", List: []string{markup}, Map: map[string]string{"k": "v"}}, 0, []string{"short\n[Cut", "lacks list."}, `"list"`, `"map":{"k":"v"}`},
		"control":          {full{Say: strings.Repeat("\x01", 100<<10)}, 0, []string{"The text stops"}, `"say"`, `"list":[]`},
		"one huge picture": {full{Say: "ok", images: []tool.Image{{bytes.Repeat([]byte("x"), 1<<20), "image/png"}}}, 0, []string{"1 of 1 images"}, "", `"say":"ok"`},
		"links":            {full{Say: "ok", links: links}, 0, []string{"2000 of 2000 links are left out."}, "", `"say":"ok"`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := call(t, returning(tt.out, func(s *tool.Spec) { s.Budget = budget }), `{}`)
			if n := wireSize(t, r); n > budget {
				t.Errorf("%d bytes, budget %d", n, budget)
			}
			images := 0
			for _, c := range r.Content {
				if _, ok := c.(*mcp.ImageContent); ok {
					images++
				}
			}
			if images != tt.images {
				t.Errorf("%d images, want %d", images, tt.images)
			}
			for _, want := range tt.says {
				if got := text(t, r); !strings.Contains(got, want) {
					t.Errorf("the text lacks %q; it ends %q", want, got[max(0, len(got)-300):])
				}
			}
			s := structured(t, r)
			if !strings.Contains(s, tt.keeps) || (tt.lacks != "" && strings.Contains(s, tt.lacks+":")) {
				t.Errorf("structured %.300s", s)
			}
			if !json.Valid([]byte(s)) || strings.Contains(text(t, r), "\ufffd") {
				t.Error("cut in the middle of a character or value")
			}
		})
	}
}

func TestAFaultStaysWithinTheBudgetToo(t *testing.T) {
	f := fault.New(fault.Invalid, "bad", strings.Repeat("<", 1<<20), "Shorten it.").WithData("big", strings.Repeat("x", 1<<20))
	r := call(t, failing(f), `{}`)
	if n := wireSize(t, r); n > tool.DefaultBudget {
		t.Errorf("%d bytes", n)
	}
	if !strings.Contains(structured(t, r), `"error_type":"bad"`) {
		t.Errorf("the type of the error is lost: %.200s", structured(t, r))
	}
}
