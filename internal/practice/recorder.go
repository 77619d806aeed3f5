package practice

import (
	"crypto/rand"
	"encoding/base32"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"
)

// maxSubmissions bounds the memory of a long-running site: the oldest go first.
const maxSubmissions = 10_000

// Submission is what the server received for one completed form.
type Submission struct {
	// Reference is the number that the answer page shows.
	Reference string `json:"reference"`
	// Site is the form: a wizard id, or the name of a widget page.
	Site string    `json:"site"`
	At   time.Time `json:"at"`
	// Data has the keys and shapes of the form's contract, and only the fields
	// of the branch that was visited. Typed text stays text.
	Data map[string]any `json:"data"`
	// Pages are the paths whose Continue was accepted, in order.
	Pages []string `json:"pages"`
	// Answer is what the answer page said.
	Answer map[string]any `json:"answer"`
	// Extra lists values that were sent although the page did not ask for them,
	// keyed by field. Anything in it is a defect of the client.
	Extra map[string]any `json:"extra,omitempty"`
}

// recorder keeps submissions for the life of a site.
type recorder struct {
	serial string

	mu      sync.Mutex
	count   int
	entries []Submission
	pending map[string]map[string]any // defects by site, not yet attached
}

func newRecorder() *recorder {
	var b [3]byte
	rand.Read(b[:]) // never fails, by its documentation
	return &recorder{serial: base32.StdEncoding.EncodeToString(b[:])[:4], pending: map[string]map[string]any{}}
}

// add records one submission and returns its new reference number.
func (r *recorder) add(site string, data map[string]any, pages []string, answer map[string]any) (reference string) {
	return r.record(Submission{Site: site, Data: data, Pages: pages, Answer: answer})
}

// record is add for a caller that has extras to report.
func (r *recorder) record(s Submission) (reference string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.count++
	s.Reference = fmt.Sprintf("PR-%s-%06d", r.serial, r.count)
	s.At = time.Now().UTC()
	s.Data, s.Answer, s.Extra = maps.Clone(s.Data), maps.Clone(s.Answer), maps.Clone(s.Extra)
	s.Pages = slices.Clone(s.Pages)
	if late := r.pending[s.Site]; late != nil {
		if s.Extra == nil {
			s.Extra = map[string]any{}
		}
		maps.Copy(s.Extra, late)
		delete(r.pending, s.Site)
	}
	if len(r.entries) >= maxSubmissions {
		r.entries = slices.Delete(r.entries, 0, len(r.entries)-maxSubmissions+1)
	}
	r.entries = append(r.entries, s)
	return s.Reference
}

// all returns the kept submissions, oldest first.
func (r *recorder) all() []Submission {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.entries)
}

// find returns the submission with the given reference.
func (r *recorder) find(reference string) (Submission, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	i := slices.IndexFunc(r.entries, func(s Submission) bool { return s.Reference == reference })
	if i < 0 {
		return Submission{}, false
	}
	return r.entries[i], true
}

// defect keeps values that a rejected page must not have carried, when there
// is no session to remember them. They are attached to the site's next
// submission, so that a retry does not hide them.
func (r *recorder) defect(site string, extra map[string]any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.pending[site] == nil {
		r.pending[site] = map[string]any{}
	}
	maps.Copy(r.pending[site], extra)
}
