package check

import "github.com/legwork-mcp/legwork/internal/mcptest/wire"

// rule is one kind of finding.
type rule struct {
	severity Severity
	title    string
	clause   Clause
	fix      string
}

// spec is a clause of the specification.
func spec(revision, section string) Clause {
	return Clause{Document: "Model Context Protocol", Revision: revision, Section: section}
}

// rpc is a clause of JSON-RPC.
func rpc(section string) Clause {
	return Clause{Document: "JSON-RPC 2.0 Specification", Section: section}
}

// practice is a clause for what no document demands, but clients and models need.
func practice(what string) Clause { return Clause{Document: "Practice", Section: what} }

const (
	newest = wire.NewestLegacy
	modern = wire.NewestModern
)

// ruleTables are the rules in the order of their weight: what breaks a connection
// stands before what breaks a list, and that before what breaks a call.
var ruleTables = [][]named{connectionRules, causeRules, livenessRules, messageRules, listRules, schemaRules, answerRules, taskRules, probeRules, processRules, adviceRules}

type named struct {
	id string
	rule
}

var rules, ranks = index(ruleTables)

func index(tables [][]named) (map[string]rule, map[string]int) {
	byID, order := map[string]rule{}, map[string]int{}
	for _, table := range tables {
		for _, n := range table {
			byID[n.id], order[n.id] = n.rule, len(order)
		}
	}
	return byID, order
}

var connectionRules = []named{
	{"target-invalid", rule{Error, "The target cannot be used", practice("Targets"), "Give an http or https address, or a command after --."}},
	{"command-not-started", rule{Error, "The command cannot be started", spec(newest, "Transports, stdio"), "Check the path of the command, its arguments and PATH; the evidence has what was looked up. An address begins with https:// or http://."}},
	{"command-ended", rule{Error, "The server process ended before it answered", spec(newest, "Lifecycle, Initialization"), "Run the command by hand; its exit code and error output are in the evidence."}},
	{"dns-failed", rule{Error, "The host name cannot be resolved", practice("Connection"), "Check the spelling of the host and that it is in the DNS that this machine asks."}},
	{"tcp-failed", rule{Error, "No connection to the host and port", practice("Connection"), "Start the server, or check its port, address and firewall."}},
	{"tls-failed", rule{Error, "TLS fails", practice("Connection"), "Check the certificate's names, dates and chain, or use http:// for a server that has no TLS."}},
	{"guard-refused", rule{Error, "This address may not be reached from here", practice("Connection"), "Private addresses need --allow-private."}},
	{"auth-required", rule{Error, "The server wants authorization", spec(newest, "Authorization"), "Give a token with --header 'Authorization=@FILE'."}},
	{"auth-no-challenge", rule{Error, "A 401 names no WWW-Authenticate challenge", Clause{"RFC 9110", "11.6.1", ""}, "Send WWW-Authenticate: Bearer resource_metadata=\"...\" with each 401."}},
	{"prm-missing", rule{Error, "There is no protected resource metadata", Clause{"RFC 9728", "3", ""}, "Serve /.well-known/oauth-protected-resource (with the path of the endpoint behind it) and name it in WWW-Authenticate."}},
	{"prm-invalid", rule{Error, "The protected resource metadata cannot be used", Clause{"RFC 9728", "2", ""}, "Answer a JSON object with resource and authorization_servers."}},
	{"prm-resource", rule{Error, "The metadata is for another resource", Clause{"RFC 9728", "3.3", ""}, "Make resource equal to the address that clients use, path included."}},
	{"prm-misplaced", rule{Error, "The protected resource metadata is where clients do not look", Clause{"RFC 9728", "3.1", ""}, "Put /.well-known/oauth-protected-resource before the path of the endpoint, not behind it."}},
	{"prm-cors", rule{Warning, "Web pages cannot read the metadata", Clause{"Fetch", "3.2", ""}, "Send Access-Control-Allow-Origin: * with metadata: clients in a browser need it."}},
	{"as-metadata-missing", rule{Error, "There is no authorization server metadata", Clause{"RFC 8414", "3", ""}, "Serve /.well-known/oauth-authorization-server or openid-configuration at the issuer."}},
	{"as-metadata-invalid", rule{Error, "The authorization server metadata cannot be used", Clause{"RFC 8414", "3.2", ""}, "Answer a JSON object, or 404 where there is none: clients stop at the first answer that they cannot read."}},
	{"as-issuer", rule{Error, "The metadata names another issuer", Clause{"RFC 8414", "3.3", ""}, "Make issuer equal to the entry of authorization_servers, letter by letter."}},
	{"as-no-pkce", rule{Warning, "The authorization server does not announce PKCE with S256", spec(newest, "Authorization, Security Considerations"), "Announce code_challenge_methods_supported with S256."}},
	{"http-status", rule{Error, "The endpoint refuses MCP requests", spec(newest, "Transports, Streamable HTTP"), "Check the path of the endpoint; it must take POST with application/json."}},
	{"connect-timeout", rule{Error, "The server does not answer in time", spec(newest, "Lifecycle, Timeouts"), "Find out why the first answer takes so long: clients wait half a minute and less."}},
	{"connect-refused", rule{Error, "The server refuses to open a connection", spec(newest, "Lifecycle, Initialization"), "Answer initialize with a result; the error is in the evidence."}},
	{"connect-failed", rule{Error, "No MCP connection came about", spec(newest, "Lifecycle, Initialization"), "Answer initialize with one JSON-RPC message; the evidence has what came instead."}},
}

// causeRules are what makes everything behind it fail.
var causeRules = []named{
	{"version-unknown", rule{Error, "The server names a protocol version that does not exist", spec(newest, "Lifecycle, Version Negotiation"), "Answer with a released version."}},
	{"version-refused", rule{Error, "The server refuses the protocol version that it has negotiated", spec(newest, "Transports, Protocol Version Header"), "Take MCP-Protocol-Version with the version that initialize was answered with."}},
	{"opening-field", rule{Error, "The answer that opens the connection lacks a field", spec(newest, "Lifecycle, Initialization"), "Send protocolVersion, capabilities and serverInfo with name and version."}},
	{"message-id", rule{Error, "An answer has not the id of its request", rpc("5"), "Give the id back with value and type unchanged."}},
	{"session-unstable", rule{Error, "Sessions do not last", spec(newest, "Transports, Session Management"), "Keep sessions where every instance of the server finds them, for as long as clients use them."}},
	{"session-dead-status", rule{Error, "A dead session is not answered with 404", spec(newest, "Transports, Session Management"), "Answer 404, so that clients begin anew."}},
	{"oversized", rule{Error, "The server sends more than clients take", practice("Sizes"), "Keep a message below 16 MiB; hand large contents out as resources."}},
	{"json-deep", rule{Error, "A message is nested deeper than readers of JSON go", Clause{"RFC 8259", "9", ""}, "Keep the nesting below 1000 levels."}},
}

var livenessRules = []named{
	{"ping-silent", rule{Error, "Ping is not answered", spec(newest, "Utilities, Ping"), "Answer ping with an empty result at once: clients close connections that do not."}},
	{"ping-failed", rule{Error, "A cheap request is not answered as it should be", spec(newest, "Utilities, Ping"), "See the evidence."}},
	{"probe-killed", rule{Error, "The server was gone after a request", practice("Robustness"), "Catch what goes wrong in each request and answer an error; no request may end the process."}},
	{"probe-hung", rule{Error, "The server stopped answering after a request", practice("Robustness"), "Answer each request, and let no request block the others."}},
	{"died", rule{Error, "The connection ended during the check", practice("Robustness"), "See the evidence for the exit code and error output."}},
}
