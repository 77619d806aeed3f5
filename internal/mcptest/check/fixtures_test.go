package check

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/mcptest/fixture"
	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

// names are the rules that name the fault of each server of the library.
var names = map[string]string{
	"stdout-banner": "stdout-noise", "stdout-blank": "stdout-blank", "stdout-log-lines": "message-shape", "stdout-colours": "stdout-noise",
	"byte-order-mark": "json-invalid", "crlf-lines": "stdout-lines", "pretty-json": "stdout-noise", "content-length": "stdout-noise",
	"batches": "message-batch", "invalid-utf8": "json-invalid", "keys-twice": "message-duplicate-key", "version-missing": "message-shape",
	"stdout-at-end": "stdout-noise",

	"start-fails": "command-ended", "start-silent": "connect-timeout", "input-unread": "connect-timeout", "dies-after-calls": "died",
	"grandchild-left": "orphans", "eof-ignored": "eof-ignored", "terminate-ignored": "eof-ignored", "files-leak": "leak-files", "exit-code": "exited-badly",

	"version-unknown": "version-unknown", "server-info-missing": "opening-field", "capabilities-missing": "opening-field",
	"initialize-refused": "connect-refused", "probe-exits": "probe-killed", "probe-hangs": "probe-silent",
	"probe-invalid-params": "unknown-method-code", "probe-answered": "unknown-method",

	"tools-null": "list-shape", "tools-null-item": "item-malformed", "tools-object": "list-shape", "tool-malformed": "item-malformed",
	"tools-duplicate": "tool-name-duplicate", "tool-unnamed": "item-malformed", "cursor-repeats": "list-endless", "pages-endless": "list-endless",
	"lists-late": "list-timeout", "tools-broken": "list-failed", "capability-missing": "capability-missing",

	"schema-missing": "tool-schema-missing", "schema-empty": "tool-schema-missing", "schema-in-annotations": "tool-schema-misplaced",
	"schema-external-ref": "schema-ref-external", "schema-broken-ref": "schema-ref-broken", "schema-root-one-of": "schema-root-combinator",
	"schema-recursive": "schema-ref-cycle", "schema-any": "schema-untyped", "schema-no-items": "schema-array-items", "schema-wrong-type": "schema-invalid",
	"required-unknown": "schema-required-unknown", "enum-mixed": "schema-enum", "name-with-spaces": "tool-name-invalid",
	"description-missing": "tool-description-missing", "tools-alike": "tools-ambiguous", "hint-no-boolean": "annotation-type",
	"hints-contradict": "tool-hints-contradict", "header-annotation": "header-annotation",

	"content-unknown": "content-invalid", "text-number": "content-invalid", "is-error-text": "is-error-type", "content-missing": "content-invalid",
	"content-text": "content-invalid", "image-no-base64": "content-invalid", "result-array": "result-shape",
	"structured-missing": "output-missing", "structured-mismatch": "output-mismatch", "structured-null": "output-mismatch",
	"text-contradicts": "output-text", "text-missing": "output-text", "error-for-failure": "call-rpc-error", "code-zero": "error-code",
	"arguments-unchecked": "bad-arguments", "unknown-tool-answered": "unknown-tool", "null-arguments-fatal": "probe-killed", "dies-in-call": "call-failed",
	"completion-fatal": "completion-failed",
	"resource-broken":  "resource-failed", "blob-no-base64": "resource-content", "contents-missing": "resource-content",
	"template-broken": "template-invalid", "prompt-role": "prompt-content", "prompt-content-array": "prompt-content",

	"call-hangs": "call-timeout", "progress-shrinks": "progress-bad", "progress-unasked": "progress-bad", "call-answered-late": "call-timeout",
	"cancel-ignored": "cancel-answered", "cancel-ignored-modern": "cancel-ignored", "cancel-progress": "cancel-ignored",
	"answered-twice": "message-unasked", "notification-answered": "notification-answered", "id-null": "message-id", "id-text": "message-id", "id-other": "message-id",
	"asks-sampling": "asks-unannounced", "asks-elicitation": "asks-unannounced", "asks-roots": "asks-unannounced", "asks-and-waits": "asks-unannounced",
	"task-not-made": "task-missing", "task-undated": "task-shape", "task-begins-over": "task-lifecycle", "task-forgotten": "task-get",
	"task-of-another": "task-get", "task-resumes": "task-lifecycle", "task-without-result": "task-result", "task-without-result-modern": "task-result",
	"task-result-unrelated": "task-unrelated", "task-uncancelled": "task-cancel", "task-uncancelled-modern": "task-uncancelled",
	"task-cancel-refused": "task-cancel", "task-for-everybody": "task-unasked", "task-required-not": "task-required", "task-list-endless": "list-endless", "task-list-fails": "list-failed",
	"task-list-null": "list-shape", "task-list-undated": "task-shape", "task-list-twice": "name-duplicate", "task-list-old": "task-list-contradicts",
	"task-list-unknown": "task-list-contradicts", "task-list-modern": "task-list-gone", "task-list-of-all": "task-list-foreign",
	"task-cancelled-late": "task-cancel-late", "task-unlisted": "task-list", "task-invented": "task-unknown", "task-forced": "task-forbidden",

	"second-call-fails": "call-unrepeatable", "ping-unanswered": "ping-silent",

	"sse-only": "only-sse", "get-404": "get-status", "get-406": "get-status", "get-500": "server-error", "events-cut": "stream-ended",
	"events-no-json": "json-invalid", "stream-ends-early": "stream-ended", "accept-json-only": "http-status", "notification-406": "http-bad-status",
	"notification-200": "http-bad-status", "version-header-refused": "version-refused", "not-found": "http-status", "web-page": "http-content-type",
	"server-error": "http-status", "gateway-error": "http-status", "json-as-text": "http-content-type", "answer-cut": "list-failed",
	"null-id-accepted": "null-id", "origin-unchecked": "origin-taken", "certificate-unknown": "tls-failed", "no-such-host": "dns-failed",
	"port-closed": "tcp-failed",

	"origin-unchecked-modern": "origin-taken", "headers-unchecked": "header-unchecked", "version-refused-badly": "version-unsupported",
	"session-undying-both": "session-deleted", "get-404-both": "get-status", "cache-unsaid": "cache-hints",
	"unknown-method-200": "http-bad-status",

	"redeployed": "session-unstable", "sessions-never-last": "session-unstable", "dead-session-503": "session-dead-status",
	"dead-session-400": "session-dead-status", "dead-session-500": "session-dead-status", "session-undying": "session-deleted",
	"session-unchecked": "session-unknown", "session-id-invisible": "session-id",

	"auth-proper": "auth-required", "challenge-lower-case": "auth-required", "challenge-missing": "auth-no-challenge",
	"metadata-at-origin": "auth-required", "metadata-behind-path": "prm-misplaced", "metadata-of-origin": "auth-required", "origin-named": "prm-resource", "metadata-missing": "prm-missing",
	"metadata-named-missing": "prm-missing", "resource-is-origin": "prm-resource", "resource-is-other": "prm-resource",
	"metadata-no-cors": "prm-cors", "issuer-differs": "as-issuer", "scope-unnamed": "auth-scope", "metadata-endless": "prm-invalid",
	"metadata-private": "prm-missing",

	"stream-endless": "call-timeout", "answer-gigabyte": "oversized", "line-gigabyte": "oversized", "noise-gigabyte": "stdout-noise",
	"gzip-bomb": "oversized", "json-deep": "json-deep", "schema-bomb": "schema-complex", "schema-names": "schema-complex", "schema-patterns": "schema-complex", "terminal-escapes": "text-control",
	"text-turned": "text-control", "text-invisible": "text-control", "prompt-injection": "text-instructs",
	"redirect-private": "http-redirect", "redirect-public": "http-redirect", "redirect-loop": "http-redirect", "requests-flood": "request-flood",
	"tools-thousands": "tools-cost", "answer-drips": "call-timeout",
}

// long are servers whose fault makes each probe wait; one of their transports is spared
// the probes.
var long = map[string]bool{
	"id-other": true, "stream-endless": true, "answer-drips": true, "call-answered-late": true, "tools-thousands": true, "line-gigabyte": true,
	"noise-gigabyte": true, "call-slow-progress": true, "lists-late": true, "ping-unanswered": true, "json-deep": true,
}

// stays are servers that do not end by themselves.
var stays = map[string]bool{"terminate-ignored": true, "input-unread": true, "eof-ignored": true}

// mostTaken is more than a check takes from a server that sends without end, in bytes.
const mostTaken = 128 << 20

// running are the command lines of servers of the library that still run on this system.
func running(t *testing.T) []string {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	all, err := filepath.Glob("/proc/[0-9]*/cmdline") // on systems without it there are none
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range all {
		line, err := os.ReadFile(file)
		if err == nil && bytes.HasPrefix(line, []byte(program+"\x00play-fixture")) {
			left = append(left, strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return left
}

// abreast is how many servers are checked at once: a check waits for the limits of time of
// its server for most of its own.
const abreast = 6

// TestFixtures checks every server of the library: what is wrong with it is named within
// the first three findings, and what is not wrong is no error.
func TestFixtures(t *testing.T) {
	var wg sync.WaitGroup
	slots := make(chan struct{}, abreast)
	for _, s := range fixture.All() {
		for _, over := range s.Over {
			slots <- struct{}{}
			wg.Go(func() {
				defer func() { <-slots }()
				t.Run(s.Name+"/"+string(over), func(t *testing.T) { checkFixture(t, s, over) })
			})
		}
	}
	wg.Wait()
	if left := running(t); len(left) > 0 {
		t.Errorf("processes are left: %v", left)
	}
}

func checkFixture(t *testing.T, s fixture.Server, over fixture.Transport) {
	at := s.StartOver(t, over)
	target := wire.Target{URL: at.URL, Headers: at.Header, Command: at.Command, Env: at.Env}
	o := Options{CallTimeout: 3 * time.Second, Timeout: 2 * time.Minute}
	o.Wire.ConnectTimeout = 12 * time.Second
	if name := names[s.Name]; s.Trap || name == "oversized" || name == "schema-complex" { // it is no fault to take longer on a busy machine
		o.CallTimeout, o.Wire.ConnectTimeout = 30*time.Second, time.Minute
	}
	o.NoProbes = long[s.Name] && over == s.Over[len(s.Over)-1]
	if stays[s.Name] {
		o.Wire.CloseTimeout = time.Second
	}
	r := checked(t, target, o)
	if want := names[s.Name]; want != "" && !ruleAmong(r, want, 3) {
		t.Errorf("%s: %s is not among the first three findings:\n%s", s.Fault, want, asText(r))
	}
	if s.Trap && r.Count(Warning) > 0 {
		t.Errorf("%s: warnings of a server that does nothing wrong:\n%s", s.Fault, asText(r))
	}
	if errors := r.Count(Error); s.Trap && (errors > 0 || !r.Connected) {
		t.Errorf("%s: %d errors of a server without one:\n%s", s.Fault, errors, asText(r))
	}
	if at.Sent != nil && at.Sent() > mostTaken {
		t.Errorf("%d bytes were taken from the server", at.Sent())
	}
	if (names[s.Name] == "") != s.Trap {
		t.Errorf("no rule is given for %s", s.Name)
	}
}
