package audit

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"strings"
	"sync"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/fault"
)

//go:embed agent/*.js
var agentFiles embed.FS

// AxeVersion is the version of axe-core that is embedded: the one that CWAC pins, so
// that findings of both engines can be compared.
const AxeVersion = "4.13.0"

// axeSource is axe-core as published, MPL-2.0; its licences lie beside it.
//
//go:embed axe-core/axe.min.js
var axeSource string

// agentParts are put together in this order and share one scope.
var agentParts = []string{"base", "still", "axe", "facts", "reflow", "focus", "consent", "api"}

func part(name string) string {
	text, err := agentFiles.ReadFile("agent/" + name + ".js")
	if err != nil {
		panic(err) // the list names a file that is not embedded
	}
	return string(text)
}

var watchSource = part("watch")

// The functions that are called in the page. They are fixed: data travels only as
// their one JSON argument.
var (
	installFn    = sync.OnceValue(install)
	installAxeFn = sync.OnceValue(installAxe)
)

const (
	invokeFn  = `async function (c) { return Object.hasOwn(globalThis, 'legworkAudit') ? globalThis.legworkAudit.run(c) : { missing: true } }`
	elementFn = `function (arg) { return globalThis.legworkAudit.element(arg) }`
	adoptFn   = `function (host, root) { globalThis.legworkAudit.adopt(host, root) }`
	sealFn    = `function (host) { globalThis.legworkAudit.seal(host) }`
)

// install brings the parts, and what watches the page if it was not there from the
// beginning.
func install() string {
	return "function () {\n'use strict';\n" + watchSource + "if (Object.hasOwn(globalThis, 'legworkAudit')) return;\n" + agentSource() + "}"
}

func agentSource() string {
	var b strings.Builder
	for _, name := range agentParts {
		b.WriteString(part(name))
	}
	return b.String()
}

// installAxe gives axe no module system to register with: an element with the id
// "module" would look like one. Where axe only wants to go on later, it goes on
// at once: each rule is done before the next begins, the page cannot change between
// two of them, and documents that may run no scripts, which have no timers, can be
// looked at.
func installAxe() string {
	return "function () {\nif (Object.hasOwn(globalThis, 'legworkAxe')) return;\nvar module, exports, define, require;\n" +
		"var setTimeout = function (fn, ms) { if (ms) return window.setTimeout(fn, ms); fn(); return 0; };\n" +
		axeSource + "\nObject.defineProperty(globalThis, 'legworkAxe', { value: window.axe });\n}"
}

// InitScripts are what a tab must run in every document for this package. A tab that
// was opened without them is looked at from the first call on, and may be taken to
// be at rest too early.
func InitScripts() []browser.InitScript { return []browser.InitScript{{Source: watchSource}} }

// request is one call of the page-side script.
type request struct {
	Frame browser.FrameID `json:"-"`
	Name  string          `json:"name"`
	Arg   any             `json:"arg"`
}

// invoke calls a function of the page-side script in a frame, and brings the script
// there first if the document does not have it.
func (p *Page) invoke(ctx context.Context, r request, out any) error {
	for range 3 {
		var reply struct {
			Missing bool            `json:"missing"`
			Value   json.RawMessage `json:"value"`
		}
		if err := p.Tab.Call(ctx, browser.Function{Frame: r.Frame, Source: invokeFn, Arg: r}, &reply); err != nil {
			return scriptFault(err, r.Name)
		}
		if !reply.Missing {
			if out == nil || len(reply.Value) == 0 {
				return nil
			}
			return json.Unmarshal(reply.Value, out)
		}
		if err := p.Tab.Call(ctx, browser.Function{Frame: r.Frame, Source: installFn()}, nil); err != nil {
			return scriptFault(err, "install")
		}
	}
	return fault.New(fault.Internal, "browser_error", "The page does not keep the script that audits it.",
		"Run the audit again; report it if it happens every time.")
}

// scriptFault keeps the text of an exception out of the message: it may quote the page.
func scriptFault(err error, name string) error {
	var thrown *browser.ScriptError
	if !errors.As(err, &thrown) {
		return err
	}
	return fault.New(fault.Internal, "browser_error", "The page could not be audited: the step "+name+" failed in it.",
		"Run the audit again; report it if it happens every time.").WithCause(err)
}

// syntaxError tells whether the page refused a selector.
func syntaxError(err error) bool {
	var thrown *browser.ScriptError
	return errors.As(err, &thrown) && strings.HasPrefix(thrown.Text, "SyntaxError")
}
