package page

import (
	"embed"
	"strings"
	"sync"

	"github.com/legwork-mcp/legwork/internal/browser"
)

//go:embed agent/*.js
var agentFiles embed.FS

// agentOrder is the order in which the parts of the script are put together.
// They share one scope, so that a part may call what a later one defines.
var agentOrder = []string{
	"base", "own", "hit", "watch", "visible", "label", "languages", "select", "compare", "events", "locate",
	"text", "choice", "lists", "held", "combo", "several", "dates", "calendar", "files", "fill",
	"guard", "errors", "place", "advance", "rows", "read", "mask",
	"ways", "words", "formats", "bare", "widgets", "groups", "decoys", "options", "presses", "notices", "sections", "controls", "seek", "boxes", "api",
}

// agentSource is the whole page-side script. Running it twice does nothing. Only
// commands with a browser need it.
var agentSource = sync.OnceValue(assemble)

func assemble() string {
	var b strings.Builder
	b.WriteString("(function () {\n'use strict';\nif (globalThis.legworkPage) return;\n")
	for _, name := range agentOrder {
		part, err := agentFiles.ReadFile("agent/" + name + ".js")
		if err != nil {
			panic(err) // the order names a file that is not embedded
		}
		b.Write(part)
	}
	b.WriteString("})();\n")
	return b.String()
}

// InitScripts are what a tab must run in every document for this package. A tab
// that was opened without them gets the script on the first call instead.
func InitScripts() []browser.InitScript {
	return []browser.InitScript{{Source: agentSource()}}
}

// The functions that are called in the page. They are fixed: data travels only
// as their one JSON argument.
const (
	invokeFn = `function (call) { return globalThis.legworkPage ? globalThis.legworkPage.run(call) : { missing: true } }`
	frameFn  = `function (arg) { return globalThis.legworkPage ? globalThis.legworkPage.frame(arg) : null }`
	adoptFn  = `function (host, root) { globalThis.legworkPage.adopt(host, root) }`
)

// installFn brings the script into a document that was there before it.
var installFn = sync.OnceValue(func() string { return "function () {" + agentSource() + "}" })
