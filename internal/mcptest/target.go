package mcptest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/textproto"
	"net/url"
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/lazyregexp"
	"github.com/legwork-mcp/legwork/internal/mcptest/login"
	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
	"github.com/legwork-mcp/legwork/internal/tool"
)

// target is a server under test as the caller named it.
type target struct {
	wire.Target
	// shown is its address or command line, with references instead of secrets.
	shown   string
	secrets []string // that references stood for
	login   *login.Login
}

// hide takes the secrets of a target out of what came from it.
func (t target) hide(text string) string {
	all := slices.Clone(t.secrets)
	for _, values := range t.Headers {
		for _, v := range values {
			_, token, _ := strings.Cut(v, " ")
			all = append(all, v, token)
		}
	}
	all = slices.AppendSeq(all, maps.Values(t.Env))
	slices.SortFunc(all, func(a, b string) int { return len(b) - len(a) }) // one may hold another
	for _, secret := range all {
		if len(secret) >= shortestSecret {
			text = strings.ReplaceAll(text, secret, "[redacted]")
		}
	}
	return text
}

// shortestSecret is how long a text must be to be looked for: shorter ones are in many
// words.
const shortestSecret = 6

// Bounds of what a caller may send with a target.
const (
	maxAddress = 4000
	maxEntries = 100
)

// errBad is a target that makes no sense; the rest of the text says why.
var errBad = errors.New("the target cannot be used")

func bad(format string, args ...any) error {
	return fmt.Errorf("%w: %s", errBad, fmt.Sprintf(format, args...))
}

// targetOf reads the arguments of connect_to_server.
func (s *Server) targetOf(ctx context.Context, in ConnectIn) (target, error) {
	var t target
	words := in.words()
	switch {
	case in.URL == "" && len(words) == 0:
		return t, bad("neither url nor command is given.")
	case in.URL != "" && in.Command != "":
		return t, bad("url and command are given; a server has one of them.")
	case len(in.URL) > maxAddress || len(in.Headers) > maxEntries || len(in.Env) > maxEntries || len(in.Args) > maxEntries:
		return t, bad("it is longer than anything that is meant.")
	}
	r := resolver{ctx: ctx, secret: s.o.Secret}
	if len(words) == 0 {
		if err := t.address(in, &r); err != nil {
			return t, err
		}
	} else if err := t.command(in, words, &r); err != nil {
		return t, err
	}
	t.Transport = wire.Transport(in.Transport)
	if in.Transport == transportHTTP {
		t.Transport = wire.HTTPTransport
	}
	t.secrets = r.found
	return t, nil
}

// words are the command line, when the target is a command. The specification has one
// input for both: what does not begin as an address is a command line.
func (in ConnectIn) words() []string {
	if in.Command != "" {
		return append([]string{in.Command}, in.Args...)
	}
	low := strings.ToLower(strings.TrimSpace(in.URL))
	if low == "" || strings.HasPrefix(low, "http:") || strings.HasPrefix(low, "https:") || strings.Contains(strings.Fields(low)[0], "://") {
		return nil
	}
	return append(splitWords(in.URL), in.Args...)
}

func (t *target) address(in ConnectIn, r *resolver) error {
	address := strings.TrimSpace(in.URL)
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return bad("url is no http or https address: write https://host/path, or a command line for a local server.")
	case u.User != nil:
		return bad("url holds a user name or a password: send them in headers, as ${ENV:NAME}.")
	case len(in.Env) > 0 || in.Cwd != "" || len(in.Args) > 0:
		return bad("args, env and cwd are for a command, and url is an address.")
	}
	t.URL, t.shown = address, address
	headers := map[string][]string{}
	for name, value := range in.Headers {
		if !headerName.MatchString(name) || strings.ContainsAny(value, "\r\n\x00") {
			return bad("headers has a name or a value that HTTP does not allow.")
		}
		full, err := r.resolve(value)
		if err != nil {
			return err
		}
		headers[textproto.CanonicalMIMEHeaderKey(name)] = []string{full}
	}
	if in.Login != nil && (in.Token != "" || len(headers["Authorization"]) > 0) {
		return bad("login and a token are given: the server gets one of them.")
	}
	if in.Token != "" {
		full, err := r.resolve(in.Token)
		if err != nil {
			return err
		}
		if full = strings.TrimSpace(full); strings.ContainsAny(full, "\r\n\x00 ") {
			return bad("token is no token: it has white space in it.")
		}
		headers["Authorization"] = []string{"Bearer " + full}
	}
	t.Headers = headers
	return nil
}

// headerName is what RFC 9110, 5.6.2 calls a token.
var headerName = lazyregexp.New("^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$")

func (t *target) command(in ConnectIn, words []string, r *resolver) error {
	if len(in.Headers) > 0 || in.Token != "" || in.Login != nil {
		return bad("headers, token and login are for an address; give a command its secrets in env.")
	}
	t.shown = strings.Join(words, " ")
	for _, w := range words {
		full, err := r.resolve(w)
		if err != nil {
			return err
		}
		t.Command = append(t.Command, full)
	}
	t.Env, t.Dir = map[string]string{}, in.Cwd
	for name, value := range in.Env {
		if name == "" || strings.ContainsAny(name, "=\x00") || strings.Contains(value, "\x00") {
			return bad("env has a name or a value that no environment can hold.")
		}
		full, err := r.resolve(value)
		if err != nil {
			return err
		}
		t.Env[name] = full
	}
	return nil
}

// resolver puts secrets in the place of references. Only the user of this machine may
// use them: over the network they would be somebody else's.
type resolver struct {
	ctx    context.Context
	secret func(string) (string, error)
	found  []string
}

// reference is how a secret is named: ${ENV:NAME} or ${FILE:NAME}.
var reference = lazyregexp.New(`\$\{((?:ENV|FILE):[^}]{1,200})\}`)

func (r *resolver) resolve(text string) (string, error) {
	var failed error
	out := reference.ReplaceAllStringFunc(text, func(whole string) string {
		name := strings.TrimSuffix(strings.TrimPrefix(whole, "${"), "}")
		if r.secret == nil || !tool.Caller(r.ctx).IsLocal() {
			failed = bad("references to secrets such as %s are for the user of this machine only: send the value itself.", name)
			return ""
		}
		value, err := r.secret(name)
		if err != nil {
			failed = bad("%s cannot be used. %s", name, fault.From(err).Error())
			return ""
		}
		r.found = append(r.found, value)
		return value
	})
	return out, failed
}

// splitWords splits a command line as a shell does, with quotes and backslashes; it
// knows nothing else of a shell.
func splitWords(text string) []string {
	var words []string
	var b strings.Builder
	inWord, quote, escaped := false, rune(0), false
	for _, c := range text {
		switch {
		case escaped:
			b.WriteRune(c)
			escaped = false
		case c == '\\' && quote != '\'':
			escaped, inWord = true, true
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			b.WriteRune(c)
		case c == '"' || c == '\'':
			quote, inWord = c, true
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			if inWord {
				words = append(words, b.String())
				b.Reset()
				inWord = false
			}
		default:
			b.WriteRune(c)
			inWord = true
		}
	}
	if inWord {
		words = append(words, b.String())
	}
	return words
}
