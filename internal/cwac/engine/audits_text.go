package engine

import (
	"context"
	"sync"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/cwac/language"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// articleFunction finds the article of a page; it is large and always the same.
var articleFunction = sync.OnceValue(language.ArticleFunction)

// languageAudit measures the text of the page. One that is not English, or too short
// to be measured, gives no row, as with CWAC: the record says why.
func (v *visit) languageAudit(ctx context.Context, p results.Plugin) (bool, error) {
	var article language.Article
	if err := v.page.Tab.Call(ctx, browser.Function{Source: articleFunction()}, &article); err != nil {
		return false, err
	}
	got := article.Measure()
	if !p.Sentiment {
		got.Sentiment = nil
	}
	if got.Skipped != "" {
		v.remark(p.Name, got.Skipped, skippedText[got.Skipped])
	}
	view := v.view
	v.put(func() error { return v.out.Language(view, got) })
	return got.Skipped == "", nil
}

var skippedText = map[string]string{
	language.NotEnglish:  "The text was not measured: the page does not say that it is English.",
	language.NotReadable: "The text was not measured: the page has no article.",
	language.TooShort:    "The text was not measured: it has fewer than 10 sentences or 200 words.",
}
