package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// protocolError gives an error that leaves the server a code of JSON-RPC. The
// SDK sends plain errors with a code of 0, which is none, and with their text,
// which is for the log.
func protocolError(method string, err error) *jsonrpc.Error {
	text := err.Error()
	var known *jsonrpc.Error
	if errors.As(err, &known) && known.Code != 0 && !strings.HasPrefix(text, quotes) {
		return known
	}
	switch {
	case strings.HasPrefix(text, quotes):
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "Invalid params: they do not fit " + method + "."}
	case strings.Contains(text, "duplicate"):
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "Invalid request: " + method + " was already sent in this session."}
	case strings.Contains(text, "initializ"):
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "Invalid request: send initialize first."}
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: fault.From(err).Error()}
}

// quotes is how the SDK begins an error that goes on with all of the params, and with them
// what people typed.
const quotes = "handling '"

// How errors that must not go out look in an encoded response: the one without a code,
// and the one that quotes.
var (
	zeroCode = []byte(`"error":{"code":0,`)
	quoting  = []byte(`"error":{"code":-32602,"message":"` + quotes)
)

// unfit reports whether an encoded response may have such an error. Inside of a text the
// quotes would be escaped.
func unfit(data []byte) bool { return bytes.Contains(data, zeroCode) || bytes.Contains(data, quoting) }

// repair rewrites an encoded response whose error has a code of 0 or quotes the request.
// Other messages come back as they are.
func repair(method string, data []byte) []byte {
	if !unfit(data) {
		return data
	}
	var resp struct {
		ID    json.RawMessage `json:"id"`
		Error *struct {
			Code    int64  `json:"code"`
			Message string `json:"message"`
		} `json:"error"`
	}
	if json.Unmarshal(data, &resp) != nil || resp.Error == nil || resp.Error.Code != 0 && !strings.HasPrefix(resp.Error.Message, quotes) {
		return data // it is inside a result
	}
	e := protocolError(method, errors.New(resp.Error.Message))
	return (&rpcError{resp.ID, e.Code, e.Message}).body()
}
