package suite

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strings"

	"go.yaml.in/yaml/v3"
)

// mostDepth bounds how deep YAML is nested.
const mostDepth = 100

// toJSON reads one YAML document as JSON. Numbers stay as they are written.
func toJSON(text []byte) ([]byte, error) {
	var doc yaml.Node
	d := yaml.NewDecoder(bytes.NewReader(text))
	if err := d.Decode(&doc); errors.Is(err, io.EOF) {
		return nil, errors.New("it is empty")
	} else if err != nil {
		return nil, err
	}
	if err := d.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, errors.New("there is more than one document")
	}
	if doc.Kind != yaml.DocumentNode || len(doc.Content) != 1 {
		return nil, errors.New("there is no document")
	}
	var b bytes.Buffer
	if err := writeNode(&b, doc.Content[0], 0); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func writeNode(b *bytes.Buffer, n *yaml.Node, depth int) error {
	if depth > mostDepth {
		return fmt.Errorf("line %d: it is nested too deep", n.Line)
	}
	switch n.Kind {
	case yaml.MappingNode:
		return writeMapping(b, n, depth)
	case yaml.SequenceNode:
		b.WriteByte('[')
		for i, item := range n.Content {
			if i > 0 {
				b.WriteByte(',')
			}
			if err := writeNode(b, item, depth+1); err != nil {
				return err
			}
		}
		b.WriteByte(']')
		return nil
	case yaml.ScalarNode:
		return writeScalar(b, n)
	}
	return fmt.Errorf("line %d: anchors and aliases are not read", n.Line)
}

func writeMapping(b *bytes.Buffer, n *yaml.Node, depth int) error {
	seen := map[string]bool{}
	b.WriteByte('{')
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if key.Kind != yaml.ScalarNode || key.ShortTag() == "!!merge" {
			return fmt.Errorf("line %d: a key is no text", key.Line)
		}
		if seen[key.Value] {
			return fmt.Errorf("line %d: the key %s is there twice", key.Line, key.Value)
		}
		seen[key.Value] = true
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(quoted(key.Value))
		b.WriteByte(':')
		if err := writeNode(b, n.Content[i+1], depth+1); err != nil {
			return err
		}
	}
	b.WriteByte('}')
	return nil
}

func writeScalar(b *bytes.Buffer, n *yaml.Node) error {
	switch n.ShortTag() {
	case "!!null":
		b.WriteString("null")
	case "!!bool":
		b.WriteString(strings.ToLower(n.Value))
	case "!!int", "!!float":
		if json.Valid([]byte(n.Value)) {
			b.WriteString(n.Value)
			return nil
		}
		i, ok := new(big.Int).SetString(n.Value, 0)
		if !ok {
			return fmt.Errorf("line %d: %s is no number that JSON has", n.Line, n.Value)
		}
		b.WriteString(i.String())
	case "!!str", "!!timestamp":
		b.Write(quoted(n.Value))
	default:
		return fmt.Errorf("line %d: values of the type %s are not read", n.Line, n.ShortTag())
	}
	return nil
}

// quoted writes a text as JSON, as it is read by people.
func quoted(s string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		return []byte(`""`) // a text can be encoded
	}
	return bytes.TrimSpace(b.Bytes())
}

// toYAML writes JSON as YAML, with its members in their order.
func toYAML(raw []byte) ([]byte, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	n, err := readNode(d)
	if err != nil {
		return nil, fmt.Errorf("write YAML: %w", err)
	}
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := errors.Join(e.Encode(n), e.Close()); err != nil {
		return nil, fmt.Errorf("write YAML: %w", err)
	}
	return b.Bytes(), nil
}

// readNode reads the next value.
func readNode(d *json.Decoder) (*yaml.Node, error) {
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch v := t.(type) {
	case json.Delim:
		n := &yaml.Node{Kind: yaml.SequenceNode}
		if v == '{' {
			n.Kind = yaml.MappingNode
		}
		for d.More() {
			one, err := readNode(d) // keys are values here
			if err != nil {
				return nil, err
			}
			n.Content = append(n.Content, one)
		}
		if _, err := d.Token(); err != nil {
			return nil, err
		}
		if len(n.Content) == 0 || n.Kind == yaml.MappingNode && short(n) {
			n.Style = yaml.FlowStyle
		}
		return n, nil
	case string:
		n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: v}
		if !plain(v) {
			n.Style = yaml.DoubleQuotedStyle
		}
		return n, nil
	case json.Number:
		tag := "!!int"
		if strings.ContainsAny(v.String(), ".eE") {
			tag = "!!float"
		}
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: v.String()}, nil
	case bool:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: fmt.Sprint(v)}, nil
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"}, nil
}

// longLine is about how long a mapping on one line may be.
const longLine = 120

// short reports whether a mapping is an expectation that fits on one line.
func short(n *yaml.Node) bool {
	size := 0
	for i, c := range n.Content {
		if c.Kind != yaml.ScalarNode || i == 0 && c.Value != "at" {
			return false
		}
		size += len(c.Value) + 4
	}
	return size <= longLine
}

// plain reports whether a text can stand in YAML without quotes, for the eyes of every
// parser.
func plain(s string) bool {
	var back yaml.Node
	if s == "" || strings.ContainsAny(s, "\n\r\t\\\"'{}[],&*#?|>%@`:=!~") || strings.TrimSpace(s) != s || s[0] == '-' {
		return false
	}
	err := yaml.Unmarshal([]byte(s), &back)
	return err == nil && len(back.Content) == 1 && back.Content[0].ShortTag() == "!!str" && back.Content[0].Value == s
}
