package practice

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// widgetPage is what a page template sees.
type widgetPage struct {
	Site, Title string
	Status      int
	Step        int
	StepTitle   string
	Problems    []widgetProblem
	Reference   string
	// Nonce differs on each load, for pages whose ids do.
	Nonce string
	// Query holds the parameters of the address.
	Query url.Values
	// Asks are the questions, for pages that are generated from them.
	Asks []ask

	values url.Values
}

func (c *widgetCall) page() widgetPage {
	p := widgetPage{
		Site: c.name, Title: c.widget.title, Nonce: strings.ToLower(rand.Text()[:10]), Query: c.r.URL.Query(), Asks: c.widget.asks,
	}
	if len(c.widget.steps) > 0 {
		p.Step = c.step()
		if c.r.Method == http.MethodGet {
			p.Step = 1 // a deep link starts over: later pages need the earlier answers
		}
		p.StepTitle = c.widget.steps[p.Step-1]
	}
	return p
}

func (c *widgetCall) show(p widgetPage) {
	name := c.widget.page
	if name == "" {
		name = c.name + ".html"
	}
	c.showTemplate(name, p)
}

func (c *widgetCall) showTemplate(name string, p widgetPage) {
	var body bytes.Buffer
	if err := c.site.pages.ExecuteTemplate(&body, name, p); err != nil {
		http.Error(c.w, "this practice page is broken: "+err.Error(), http.StatusInternalServerError)
		return
	}
	c.w.Header().Set("Content-Type", "text/html; charset=utf-8")
	c.w.Header().Set("Cache-Control", "no-store")
	if p.Status != 0 {
		c.w.WriteHeader(p.Status)
	}
	_, _ = c.w.Write(body.Bytes()) // a broken connection is the client's
}

// Value is the text to show in an input: what was posted, or the prefill.
func (p widgetPage) Value(name string, prefill ...string) string {
	if p.values == nil {
		return strings.Join(prefill, "")
	}
	return p.values.Get(name)
}

// On says whether an option was chosen in what was posted.
func (p widgetPage) On(name, value string) bool { return slices.Contains(p.values[name], value) }

// Problem is the message for a field, or nothing.
func (p widgetPage) Problem(name string) string {
	i := slices.IndexFunc(p.Problems, func(q widgetProblem) bool { return q.Field == name })
	if i < 0 {
		return ""
	}
	return p.Problems[i].Message
}

// Error is the inline message of a field, or nothing.
func (p widgetPage) Error(name string) template.HTML {
	message := p.Problem(name)
	if message == "" {
		return ""
	}
	return template.HTML(fmt.Sprintf(`<p class="error-message" id="%s-error"><span class="hidden">Error:</span> %s</p>`,
		template.HTMLEscapeString(name), template.HTMLEscapeString(message)))
}

// Aria ties an input to its inline message.
func (p widgetPage) Aria(name string) template.HTMLAttr {
	if p.Problem(name) == "" {
		return ""
	}
	return template.HTMLAttr(fmt.Sprintf(`aria-invalid="true" aria-describedby="%s-error"`, template.HTMLEscapeString(name)))
}

// Carried are the answers of earlier steps, which later steps post again.
func (p widgetPage) Carried() []struct{ Name, Value string } {
	var carried []struct{ Name, Value string }
	for _, a := range p.Asks {
		if a.page >= p.Step {
			continue
		}
		for _, v := range p.values[a.id] {
			carried = append(carried, struct{ Name, Value string }{a.id, v})
		}
	}
	return carried
}

// Count returns the numbers from one to another, for loops in templates.
func (widgetPage) Count(from, to int) []int {
	numbers := make([]int, 0, max(to-from+1, 0))
	for n := from; n <= to; n++ {
		numbers = append(numbers, n)
	}
	return numbers
}

// Places are the states and territories.
func (widgetPage) Places() []string { return stateNames }

// ID is the question's name, for templates.
func (a ask) ID() string { return a.id }

// Label is the question, for templates.
func (a ask) Label() string { return a.label }
