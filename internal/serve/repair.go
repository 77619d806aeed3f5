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
	var known *jsonrpc.Error
	if errors.As(err, &known) && known.Code != 0 {
		return known
	}
	text := err.Error()
	switch {
	case strings.HasPrefix(text, "handling "):
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "Invalid params: they do not fit " + method + "."}
	case strings.Contains(text, "duplicate"):
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "Invalid request: " + method + " was already sent in this session."}
	case strings.Contains(text, "initializ"):
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "Invalid request: send initialize first."}
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: fault.From(err).Error()}
}

// zeroCode is how an error without a code looks in an encoded response.
var zeroCode = []byte(`"error":{"code":0,`)

// repair rewrites an encoded response whose error has a code of 0. Other
// messages come back as they are, and cheaply: such errors are short.
func repair(method string, data []byte) []byte {
	if len(data) > 4<<10 || !bytes.Contains(data, zeroCode) {
		return data
	}
	var resp struct {
		ID    json.RawMessage `json:"id"`
		Error *struct {
			Code    int64  `json:"code"`
			Message string `json:"message"`
		} `json:"error"`
	}
	if json.Unmarshal(data, &resp) != nil || resp.Error == nil || resp.Error.Code != 0 {
		return data // it is inside a result
	}
	e := protocolError(method, errors.New(resp.Error.Message))
	return (&rpcError{resp.ID, e.Code, e.Message}).body()
}
