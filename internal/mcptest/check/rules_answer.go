package check

// answerRules are about the answers of tools, resources and prompts.
var answerRules = []named{
	{"call-timeout", rule{Error, "A call does not answer in time", spec(newest, "Lifecycle, Timeouts"), "Answer faster, or send progress meanwhile."}},
	{"call-rpc-error", rule{Warning, "A call with valid arguments fails with a protocol error", spec(newest, "Tools, Error Handling"), "Report failures of the tool as a result with isError, so that the model can read them."}},
	{"call-failed", rule{Error, "A call breaks the connection", practice("Robustness"), "Catch what goes wrong in a call and answer isError: no call may end the process or the connection."}},
	{"call-unrepeatable", rule{Error, "The same call works once only", practice("Robustness"), "Answer each call as the first one; the second one broke the connection."}},
	{"auth-scope", rule{Error, "A refusal does not say that a scope is missing", spec(modern, "Authorization, Scope Challenge Handling"), "Send 403 with WWW-Authenticate: Bearer error=\"insufficient_scope\", scope=\"...\"."}},
	{"call-unauthorized", rule{Info, "A call wants more than the credentials give", spec(newest, "Authorization"), "Give a token with the scopes that the challenge names."}},
	{"call-is-error", rule{Info, "A call with made-up arguments reports an error", spec(newest, "Tools, Error Handling"), "Nothing, when the arguments make no sense to the tool; give examples in the schema otherwise."}},
	{"content-invalid", rule{Error, "The content of an answer is malformed", spec(newest, "Tools, Tool Result"), "Send content as an array of blocks with their type and required members."}},
	{"is-error-type", rule{Error, "isError is no boolean", spec(newest, "Schema, CallToolResult"), "Send true or false, or leave it out."}},
	{"output-missing", rule{Error, "A tool with an output schema sends no structuredContent", spec(newest, "Tools, Output Schema"), "Send structuredContent that conforms to the schema."}},
	{"output-mismatch", rule{Error, "structuredContent breaks the output schema", spec(newest, "Tools, Output Schema"), "Correct the answer or the schema: clients check."}},
	{"output-text", rule{Warning, "The text of an answer is not what structuredContent says", spec(newest, "Tools, Structured Content"), "Send the serialized JSON of structuredContent in a text block, for clients that know only text."}},
	{"resource-failed", rule{Error, "A listed resource cannot be read", spec(newest, "Resources, Reading Resources"), "List only what can be read."}},
	{"resource-content", rule{Error, "The contents of a resource are malformed", spec(newest, "Resources, Data Types"), "Send contents with uri and either text or blob in base64."}},
	{"prompt-failed", rule{Error, "A listed prompt cannot be got", spec(newest, "Prompts, Getting a Prompt"), "Answer prompts/get for each prompt of the list, with its required arguments."}},
	{"prompt-is-error", rule{Info, "A prompt refuses made-up arguments", spec(newest, "Prompts, Error Handling"), "Offer completion for arguments that take certain values only."}},
	{"completion-failed", rule{Error, "Completion is announced and fails", spec(newest, "Utilities, Completion"), "Answer completion/complete for the arguments of each listed prompt, with no values where there are none."}},
	{"prompt-content", rule{Error, "The messages of a prompt are malformed", spec(newest, "Prompts, Data Types"), "Send messages with role user or assistant and one content block each."}},
	{"eras-differ", rule{Warning, "The two eras of the server differ", spec(modern, "Versioning"), "Offer the same things on both wires, and answer alike."}},
}

// probeRules are about what no client should send.
var probeRules = []named{
	{"unknown-tool", rule{Error, "A call of a tool that does not exist succeeds", spec(newest, "Tools, Error Handling"), "Answer error -32602 with the name of the tool."}},
	{"unknown-method", rule{Error, "A method that does not exist is answered with a result", rpc("5.1"), "Answer error -32601."}},
	{"unknown-method-code", rule{Warning, "A method that does not exist is not answered with -32601", rpc("5.1"), "Answer error -32601: clients tell by it what is not there."}},
	{"unknown-tool-code", rule{Info, "A tool that does not exist is not answered with -32602", spec(newest, "Tools, Error Handling"), "Answer error -32602."}},
	{"unknown-resource", rule{Warning, "A resource that does not exist is answered with a result", spec(newest, "Resources, Error Handling"), "Answer error -32002, in 2026-07-28 -32602."}},
	{"bad-arguments", rule{Warning, "A tool takes arguments that break its schema", spec(newest, "Tools, Security Considerations"), "Validate arguments and answer isError with what is wrong."}},
	{"bad-cursor", rule{Info, "A cursor that was never given is taken", spec(newest, "Utilities, Pagination"), "Answer error -32602."}},
	{"malformed-json", rule{Warning, "Malformed JSON is not answered with an error", rpc("5.1"), "Answer error -32700."}},
	{"malformed-ignored", rule{Info, "A line that is no JSON is not answered", rpc("5.1"), "Answer error -32700, so that the mistake of a client shows."}},
	{"framing-fatal", rule{Warning, "The server does not survive a line that is no message", rpc("5.1"), "Answer error -32700 or -32600 and read on: one bad line should not cost the session."}},
	{"null-id", rule{Warning, "A request with the id null is taken for a notification", spec(newest, "Base Protocol, Requests"), "Answer 400 with error -32600: the id of a request must not be null."}},
	{"probe-silent", rule{Warning, "A bad request gets no answer", rpc("5.1"), "Answer each request that has an id."}},
	{"error-code", rule{Warning, "An error has a code that means nothing", rpc("5.1"), "Use the codes of JSON-RPC: -32600 to -32603, or an own one outside -32768 to -32000."}},
	{"session-unknown", rule{Error, "An unknown session is not answered with 404", spec(newest, "Transports, Session Management"), "Answer 404, so that clients begin a new session."}},
	{"session-deleted", rule{Error, "A session lives on after it was ended", spec(newest, "Transports, Session Management"), "Answer 404 for requests of a session that was ended with DELETE."}},
	{"session-missing", rule{Warning, "A request without its session is taken", spec(newest, "Transports, Session Management"), "Answer 400."}},
	{"origin-taken", rule{Error, "A request from any web page is taken", spec(newest, "Transports, Security Warning"), "Check Origin and answer 403: otherwise a web page can reach a server on its visitor's machine."}},
	{"host-taken", rule{Info, "A server on this machine takes requests for another host", practice("DNS rebinding"), "Check Host too: with Origin it keeps pages away that make a name of theirs point at this machine."}},
	{"load-failed", rule{Error, "Calls fail when several come at one time", practice("Robustness"), "Keep what belongs to a request with the request, and answer each."}},
	{"version-header", rule{Warning, "A protocol version that does not exist is taken", spec(newest, "Transports, Protocol Version Header"), "Answer 400."}},
	{"header-unchecked", rule{Error, "A request is taken whose headers say something else than its body", spec(modern, "Transports, Server Validation"), "Answer 400 with error -32020 when Mcp-Method is missing or is not the method of the message: what stands before the server decides by it."}},
	{"version-unsupported", rule{Error, "A version that is not spoken is not refused as it must be", spec(modern, "Versioning, Protocol Version Negotiation"), "Answer 400 with error -32022 and the supported versions in its data: clients choose by it."}},
	{"content-type-taken", rule{Info, "A POST that is not application/json is taken", spec(newest, "Transports, Sending Messages to the Server"), "Answer 415: text/plain can be sent by any web page."}},
	{"accept-taken", rule{Info, "A client that accepts only text/html is answered all the same", spec(newest, "Transports, Sending Messages to the Server"), "Answer 406 when Accept has neither application/json nor text/event-stream."}},
	{"accept-ignored", rule{Info, "An event stream is sent to a client that accepts only JSON", Clause{"RFC 9110", "12.5.1", ""}, "Answer application/json, or 406 when that cannot be."}},
	{"cancel-ignored", rule{Warning, "A call that was cancelled goes on", spec(modern, "Transports, Cancellation"), "Stop the work when the response stream is closed, over stdio at notifications/cancelled, and send nothing more for the request."}},
	{"cancel-answered", rule{Info, "A call that was cancelled goes on, or is answered", spec(newest, "Utilities, Cancellation"), "Stop the work and send nothing: what comes now is thrown away."}},
	{"get-status", rule{Warning, "GET is neither an event stream nor 405", spec(newest, "Transports, Listening for Messages from the Server"), "Answer 405 when there is no stream."}},
	{"server-error", rule{Error, "A bad request makes the server fail", spec(newest, "Transports, Streamable HTTP"), "Answer 4xx for what the client did wrong."}},
	{"bad-request-taken", rule{Warning, "A bad request is answered as if it were good", rpc("5.1"), "Answer error -32600."}},
}

// processRules are about the process of a server over stdio.
var processRules = []named{
	{"eof-ignored", rule{Warning, "The server does not end when its input is closed", spec(newest, "Lifecycle, Shutdown"), "End at the end of stdin."}},
	{"orphans", rule{Error, "The server leaves processes behind", spec(newest, "Lifecycle, Shutdown"), "End what was started before the server ends."}},
	{"exited-badly", rule{Info, "The server ends with an error", spec(newest, "Lifecycle, Shutdown"), "Exit with 0 after the end of stdin."}},
	{"leak-files", rule{Warning, "Open files grow with each call", practice("Resources"), "Close files and connections after each call."}},
	{"leak-memory", rule{Warning, "Memory grows with each call", practice("Resources"), "Find what keeps the answers."}},
	{"leak-processes", rule{Warning, "Processes grow with each call", practice("Resources"), "Wait for what was started."}},
}
