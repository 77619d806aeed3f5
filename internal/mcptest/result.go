package mcptest

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/legwork-mcp/legwork/internal/tool"
)

// checkResult reports whether the result of a call says that the tool failed, and what
// is wrong with its form (MCP 2025-11-25, Tools, Tool Result).
func (k *call) checkResult(name string, result json.RawMessage) (failed bool, out []Finding) {
	violation := func(format string, args ...any) {
		out = append(out, Finding{Code: findingSchema, Message: fmt.Sprintf(format, args...)})
	}
	switch flag := field(result, "isError"); string(flag) {
	case "true":
		failed = true
	case "", "false":
	default:
		violation("isError is no boolean: strict clients drop the whole result.")
	}
	structured := field(result, "structuredContent")
	content, isList := itemsOf(field(result, "content"))
	if !isList {
		violation("content is no array: clients drop the whole result.")
	}
	var wrong atMost
	for i, block := range content {
		if what := wrongBlock(block); what != "" {
			wrong.add(func() Finding {
				return Finding{Code: findingSchema, Message: fmt.Sprintf("Content block %d %s.", i, what), Bytes: k.sample(block)}
			})
		}
	}
	out = append(out, wrong.all()...)
	known, listed := k.c.known(name)
	if !listed || failed || len(known.output) == 0 {
		return failed, out
	}
	if structured == nil {
		return failed, append(out, Finding{Code: findingMissing, Message: "The tool has an outputSchema, and its result has no structuredContent."})
	}
	for _, p := range violations(known.output, structured) {
		out = append(out, Finding{Code: findingOutput, Message: "structuredContent does not match outputSchema.", Bytes: k.sample([]byte(p))})
	}
	return failed, out
}

// blocks are the types of content, with the members that each must have as texts.
var blocks = map[string][]string{
	"text": {"text"}, "image": {"data", "mimeType"}, "audio": {"data", "mimeType"}, "resource_link": {"uri", "name"}, "resource": nil,
}

// wrongBlock says what is wrong with a content block.
func wrongBlock(block json.RawMessage) string {
	kind, ok := textOf(field(block, "type"))
	if !ok {
		return "has no type"
	}
	wanted, known := blocks[kind]
	if !known {
		return "has a type that the protocol does not know"
	}
	for _, name := range wanted {
		if _, ok := textOf(field(block, name)); !ok {
			return "of type " + kind + " has no text " + name
		}
	}
	if kind == "resource" && members(field(block, "resource")) == nil {
		return "of type resource has no object resource"
	}
	return ""
}

// result is the result of a call for an answer. One that is too long for pictures and
// sounds is shown without them before anything else is cut.
func (k *call) result(raw json.RawMessage) (json.RawMessage, *Cut) {
	shown, cut := k.verbatim(raw, k.s.set.Answer)
	if cut == nil {
		return shown, nil
	}
	if rest := json.RawMessage(withoutData(raw)); len(rest) <= k.s.set.Answer && sound(rest) {
		shown, _ = k.verbatim(rest, k.s.set.Answer)
		return shown, &Cut{Size: len(raw), Shown: len(rest), Rest: "The data of pictures and sounds is left out here; pictures stand beside the text. " + restHint}
	}
	return shown, cut
}

// mostPictures is how many pictures of a result are passed on as pictures, and
// mostPicture the size of each in bytes.
const (
	mostPictures = 4
	mostPicture  = 400 << 10
)

// pictures are those of a result that clients can show.
func pictures(result json.RawMessage) []tool.Image {
	content, _ := itemsOf(field(result, "content"))
	var out []tool.Image
	for _, block := range content {
		mime, _ := textOf(field(block, "mimeType"))
		text, _ := textOf(field(block, "data"))
		data, err := base64.StdEncoding.DecodeString(text)
		if err != nil || len(data) == 0 || len(data) > mostPicture || len(out) == mostPictures {
			continue
		}
		switch mime {
		case "image/png", "image/jpeg", "image/gif", "image/webp":
			out = append(out, tool.Image{Data: data, MIME: mime})
		}
	}
	return out
}

// withoutData is a result for reading: pictures and sounds are named, not written out.
func withoutData(result json.RawMessage) string {
	all := members(result)
	content, ok := itemsOf(field(result, "content"))
	if all == nil || !ok {
		return string(result)
	}
	parts := make([]string, len(content))
	for i, block := range content {
		parts[i] = string(block)
		data, hasData := textOf(field(block, "data"))
		if !hasData || len(data) < 500 {
			continue
		}
		kept := members(block)
		for j := range kept {
			if kept[j].name == "data" {
				kept[j].value = quoted(fmt.Sprintf("(%d base64 characters)", len(data)))
			}
		}
		parts[i] = string(object(kept))
	}
	for i := range all {
		if all[i].name == "content" {
			all[i].value = json.RawMessage("[" + strings.Join(parts, ",") + "]")
		}
	}
	return string(object(all))
}
