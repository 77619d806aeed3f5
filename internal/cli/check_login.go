package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/mcptest/check"
	"github.com/legwork-mcp/legwork/internal/mcptest/login"
	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

// loginFlags say how the server of a check is logged in to.
type loginFlags struct {
	Login        string   `placeholder:"HOW" enum:",person,machine" default:"" help:"Log in when the server wants it: person prints a link and waits, machine uses --client-id and --client-secret."`
	ClientID     string   `name:"client-id" placeholder:"ID" help:"Client that the authorization server knows; without it one is registered."`
	ClientSecret string   `placeholder:"@FILE" help:"File with the secret of the client, or with its private key in PEM (private_key_jwt)."`
	Scope        []string `placeholder:"NAME" sep:"none" help:"Scope to ask for instead of those that the server names; may be repeated."`
	Audience     string   `placeholder:"NAME" help:"Name of the API, for authorization servers such as Auth0."`
	LoginPort    int      `placeholder:"PORT" help:"Port of this machine to which the browser comes back. Default: any."`
}

// grants are the words of --login.
var grants = map[string]login.Grant{"person": login.AuthorizationCode, "machine": login.ClientCredentials}

// login prepares the login that the flags want; nil when they want none.
func (f loginFlags) login(ctx context.Context, a *app, t wire.Target, o *check.Options) (*login.Login, func(), error) {
	release := func() {}
	if f.Login == "" {
		return nil, release, nil
	}
	wrong := func(what, action string) error { return fault.New(fault.Invalid, "invalid_login", what, action) }
	if t.URL == "" || t.Headers.Get("Authorization") != "" {
		return nil, release, wrong("--login is for an address, without a token in --header.", "Leave one of them out.")
	}
	secret := ""
	if f.ClientSecret != "" {
		file, ok := strings.CutPrefix(f.ClientSecret, "@")
		if !ok {
			return nil, release, wrong("--client-secret is no @FILE: a command line is seen by others.", "Write the secret into a file and name it.")
		}
		read, err := pairs("client-secret", []string{"secret=@" + file})
		if err != nil {
			return nil, release, err
		}
		secret = read["secret"]
	}
	client, err := login.Identify(f.ClientID, secret)
	if err != nil {
		return nil, release, wrong("The file of --client-secret holds no key that can sign.", "Write an EC, RSA or Ed25519 key into it, without a password.")
	}
	settings := login.Options{
		URL: t.URL, HTTPClient: o.Wire.HTTPClient, Grant: grants[f.Login], Client: client, Scopes: f.Scope, Audience: f.Audience,
	}
	if settings.Grant == login.AuthorizationCode {
		person, err := login.NewLoopback(ctx, fmt.Sprintf("127.0.0.1:%d", f.LoginPort), true, func(l login.Link) {
			fmt.Fprintf(a.std.Err, "Log in at %s\n", l.URL)
		})
		if err != nil {
			return nil, release, fault.New(fault.Unavailable, "no_port", "This machine gives no port to which the browser could come back.", "Name a free one with --login-port.").WithCause(err)
		}
		settings.Person, release = person, func() { _ = person.Close() } // nobody comes back any more
	}
	l, err := login.New(settings)
	if err != nil {
		release()
		return nil, func() {}, wrong("The login cannot be prepared: "+strings.TrimPrefix(err.Error(), "prepare the login: ")+".", "See 'legwork check --help'.")
	}
	o.Wire.Authorize, o.Wire.Secrets, o.Hide = l.Authorize, append(o.Wire.Secrets, secret), l.Hide
	if settings.Person != nil {
		f.wait(ctx, t, *o)
	}
	return l, release, nil
}

// wait has a person log in before the check, whose limits are for servers and not for
// people. What fails here fails in the check again, which says how.
func (f loginFlags) wait(ctx context.Context, t wire.Target, o check.Options) {
	o.Wire.ConnectTimeout = o.Timeout
	if conn, err := wire.Connect(ctx, t, o.Wire); err == nil {
		conn.Close()
	}
}
