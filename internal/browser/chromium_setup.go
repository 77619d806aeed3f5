package browser

import (
	"slices"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
)

func ptr[T any](v T) *T { return &v }

// enable asks a new session for the events that a tab is made of.
func (b *branch) enable() {
	s := b.session
	post(s, page.Enable, page.EnableParams{})
	post(s, inspector.Enable, cdp.Empty{})
	post(s, runtime.Enable, cdp.Empty{})
	// Bodies are never asked for, so the browser need not keep them.
	post(s, network.Enable, network.EnableParams{MaxTotalBufferSize: ptr[int64](1), MaxResourceBufferSize: ptr[int64](1), MaxPostDataSize: ptr[int64](0)})
	// Frames with a process of their own are held until they are prepared. A
	// filter would leave workers held for ever.
	post(s, target.SetAutoAttach, target.SetAutoAttachParams{AutoAttach: true, WaitForDebuggerOnStart: true, Flatten: ptr(true)})
	if s.id == b.view.session {
		post(s, page.SetInterceptFileChooserDialog, page.SetInterceptFileChooserDialogParams{Enabled: true})
	}
}

// prepare gives a session what the tab's options ask for. It returns the
// commands, for a caller who may wait for them.
func (b *branch) prepare(o TabOptions) []outcome {
	s := b.session
	list := []outcome{
		start(s, emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: o.Timezone}),
		start(s, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}),
	}
	// A second page in the same process finds the locale set already, and says so.
	post(s, emulation.SetLocaleOverride, emulation.SetLocaleOverrideParams{Locale: o.Locale})
	if o.Locale != "en-US" || o.UserAgent != "" {
		agent := emulation.SetUserAgentOverrideParams{UserAgent: b.tab.engine.agent, AcceptLanguage: o.Locale}
		if o.UserAgent != "" {
			agent.UserAgent = o.UserAgent
		}
		list = append(list, start(s, emulation.SetUserAgentOverride, agent))
	}
	if o.NoServiceWorkers {
		list = append(list, start(s, network.SetBypassServiceWorker, network.SetBypassServiceWorkerParams{Bypass: true}))
	}
	list = append(list, b.interceptFor(o.Headers)...)
	// The first script makes sure that every document has the agent world.
	for _, script := range slices.Concat([]InitScript{{Source: ";"}}, storageScripts(o.Storage), o.InitScripts) {
		list = append(list, start(s, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{
			Source: script.Source, WorldName: worldName, RunImmediately: ptr(true),
		}))
	}
	return list
}

// resize makes a window pretend to have the tab's size. A window that has it is
// better left alone: every picture would switch the pretence off and on again,
// and the page's styles are worked out anew each time.
func (b *branch) resize(o TabOptions) outcome {
	return start(b.session, emulation.SetDeviceMetricsOverride, metrics(o.Width, o.Height))
}

// run lets a target go that was held at its start.
func (b *branch) run() {
	post(b.session, runtime.RunIfWaitingForDebugger, cdp.Empty{})
}
