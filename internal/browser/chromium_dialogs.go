package browser

import "github.com/chromedp/cdproto/page"

// dialogOpening answers at once: an open message box blocks the whole page.
func (b *branch) dialogOpening(e page.EventJavascriptDialogOpening) {
	accept, text := b.tab.answerDialog(string(e.Type), e.Message)
	post(b.session, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: accept, PromptText: text})
}
