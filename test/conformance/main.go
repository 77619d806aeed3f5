package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"time"
)

// patience bounds a scenario; the suite gives it 30 s.
const patience = 25 * time.Second

func main() { os.Exit(start()) }

func start() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if err := run(ctx, os.Args[1:], os.Environ()); err != nil {
		fmt.Fprintln(os.Stderr, "conformance: "+err.Error())
		return 1
	}
	return 0
}

// scenario is what the suite asks for.
type scenario struct {
	name    string
	url     string
	version string // of the protocol; empty leaves it to the client
	given   given
	client  *http.Client
}

// given is what the suite says beside: credentials, calls to be made.
type given struct {
	ClientID     string `json:"client_id"`
	ClientSecret string `json:"client_secret"`
	PrivateKey   string `json:"private_key_pem"`
	Issuer       string `json:"issuer"`
	ToolCalls    []struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"toolCalls"`
}

func run(ctx context.Context, args, environ []string) error {
	if len(args) != 1 {
		return fmt.Errorf("usage: conformance URL, started by the conformance suite")
	}
	env := map[string]string{}
	for _, line := range environ {
		if name, value, ok := strings.Cut(line, "="); ok && strings.HasPrefix(name, "MCP_CONFORMANCE_") {
			env[strings.TrimPrefix(name, "MCP_CONFORMANCE_")] = value
		}
	}
	s := &scenario{name: env["SCENARIO"], url: args[0], version: env["PROTOCOL_VERSION"], client: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}}
	if text := env["CONTEXT"]; text != "" {
		if err := json.Unmarshal([]byte(text), &s.given); err != nil {
			return fmt.Errorf("read the context of the scenario: %w", err)
		}
	}
	do := scenarios[s.name]
	if strings.HasPrefix(s.name, "auth/") {
		do = (*scenario).logIn
	}
	if do == nil {
		return fmt.Errorf("there is no scenario %q here", s.name)
	}
	return do(s, ctx)
}
