package bounty

import "encoding/json"

// memberOf is a text in an answer of the board, "" when it has none of the name.
func memberOf(body json.RawMessage, name string) string {
	var said map[string]json.RawMessage
	var text string
	if json.Unmarshal(body, &said) != nil || json.Unmarshal(said[name], &text) != nil {
		return ""
	}
	return clean(text, 200)
}

// membersOf is a list of texts in an answer of the board.
func membersOf(body json.RawMessage, name string) []string {
	var said map[string]json.RawMessage
	var list []string
	if json.Unmarshal(body, &said) != nil || json.Unmarshal(said[name], &list) != nil {
		return nil
	}
	const most = 10
	var out []string
	for _, text := range list[:min(len(list), most)] {
		out = append(out, clean(text, 200))
	}
	return out
}
