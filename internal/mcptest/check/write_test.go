package check

import (
	"encoding/json"
	"encoding/xml"
	"net/http"
	"strings"
	"testing"
)

// TestHostileText shows what a hostile server sends without obeying it.
func TestHostileText(t *testing.T) {
	f := fake{tools: with(`Gives a text back.`, `\u001b[2J\u202eevil ]]> <script>`), result: `{"content":[{"type":"\u001b]0;x\u0007<script>alert(1)</script>"}]}`}
	r := checked(t, serveHTTP(t, f), Options{NoProbes: true})
	var junit strings.Builder
	if err := r.WriteJUnit(&junit); err != nil {
		t.Fatal(err)
	}
	var page strings.Builder
	if err := r.WriteHTML(&page); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(page.String(), "content-invalid") || strings.Contains(page.String(), "<script") {
		t.Errorf("the page lacks a finding, or has a script:\n%s", page.String())
	}
	for _, out := range []string{asText(r), junit.String(), page.String()} {
		if strings.ContainsAny(out, "\x1b\x07\u202e") {
			t.Errorf("a control character got through: %q", out)
		}
	}
	var read struct {
		Suite struct {
			Failures int `xml:"failures,attr"`
			Cases    []struct {
				Failure *struct{} `xml:"failure"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal([]byte(junit.String()), &read); err != nil {
		t.Fatal(err)
	}
	failures := 0
	for _, c := range read.Suite.Cases {
		if c.Failure != nil {
			failures++
		}
	}
	if failures != r.Count(Error) || read.Suite.Failures != failures || failures == 0 {
		t.Errorf("%d failures in the cases, %d said, %d errors found", failures, read.Suite.Failures, r.Count(Error))
	}
}

// TestSecrets keeps what the target was given out of the report, also when the server
// sends it back.
func TestSecrets(t *testing.T) {
	const token = "s3cr3t-t0ken-value"
	f := fake{tools: "[" + echo + "]", web: func(w http.ResponseWriter, r *http.Request, _ http.Handler) {
		http.Error(w, "bad credentials "+r.Header.Get("Authorization"), http.StatusUnauthorized)
	}}
	target := serveHTTP(t, f)
	target.Headers = http.Header{"Authorization": {"Bearer " + token}}
	r := checked(t, target, Options{})
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(b), token) {
		t.Errorf("the report has the token: %s", b)
	}
	if !ruleAmong(r, "auth-required", 1) {
		t.Errorf("the first finding is another:\n%s", asText(r))
	}
}

// TestSecretsInNames: a server may call itself, its version and its tools by a secret.
func TestSecretsInNames(t *testing.T) {
	const token = "s3cr3t-t0ken-value"
	f := fake{tools: "[" + strings.ReplaceAll(echo, `"echo"`, `"`+token+`"`) + "]", more: map[string]string{
		"initialize": `{"protocolVersion":"` + strings.Repeat(`\u001b`, 100) + token + `","capabilities":{"tools":{}},"serverInfo":{"name":"` + token + `","version":"` + token + `"}}`,
	}}
	target := serveHTTP(t, f)
	target.Headers = http.Header{"Authorization": {"Bearer " + token}}
	r := checked(t, target, Options{NoProbes: true})
	b, err := json.Marshal(r)
	if err != nil || !r.Connected {
		t.Fatalf("%v: %s", err, b)
	}
	if text := asText(r); strings.Contains(string(b)+text, token) || strings.Contains(text, "\x1b") || len(r.Version) > 300 {
		t.Errorf("the report: %s\n%s", b, text)
	}
}

// TestSecretsThatAreCut: where a text is cut in the middle of a secret, nothing of it is left.
func TestSecretsThatAreCut(t *testing.T) {
	const token = "s3cr3t-t0ken-value"
	pad := func(n int) string { return strings.Repeat("x", n) }
	f := fake{tools: "[" + strings.Replace(echo, `"description":"Gives`, `"icons":"`+pad(190)+token+`","description":"Gives`, 1) + "]", message: func(method string, _ []byte) (string, bool) {
		if method != "legwork/no_such_method" {
			return "", false
		}
		return `{"jsonrpc":"2.0","id":ID,"error":{"code":-1,"message":"` + pad(180) + token + `"}}`, true
	}}
	target := serveHTTP(t, f)
	target.Headers = http.Header{"Authorization": {"Bearer " + token}}
	r := checked(t, target, Options{})
	b, err := json.Marshal(r)
	if err != nil || !ruleAmong(r, "icon-invalid", 10) || !ruleAmong(r, "unknown-method-code", 10) {
		t.Fatalf("%v: %s", err, asText(r))
	}
	if strings.Contains(string(b)+asText(r), token[:shortSecret]) {
		t.Errorf("the report: %s", asText(r))
	}
}
