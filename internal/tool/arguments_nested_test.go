package tool

import (
	"context"
	"encoding/json"
	"testing"
)

type nestedIn struct {
	Options *nestedOptions `json:"options,omitempty"`
}

type nestedOptions struct {
	Show *bool `json:"show,omitempty" default:"true"`
	Wait int   `json:"wait,omitempty" default:"45" minimum:"0"`
}

// TestNestedDefaults: an optional member inside an optional object has its
// default as soon as the object is given.
func TestNestedDefaults(t *testing.T) {
	tl := New(Spec{Name: "n", Title: "n", Description: "n", Scope: "n", Effect: Read},
		func(struct{}, context.Context, nestedIn) (struct{}, error) { return struct{}{}, nil })
	var in nestedIn
	if err := decodeInput(tl.Bind(struct{}{}).Input, json.RawMessage(`{"options":{"show":false}}`), &in); err != nil {
		t.Fatal(err)
	}
	if in.Options == nil || in.Options.Show == nil || *in.Options.Show || in.Options.Wait != 45 {
		t.Errorf("filled %+v", in.Options)
	}
	in = nestedIn{}
	if err := decodeInput(tl.Bind(struct{}{}).Input, json.RawMessage(`{}`), &in); err != nil || in.Options != nil {
		t.Errorf("absent object: %+v %v", in.Options, err)
	}
	if err := decodeInput(tl.Bind(struct{}{}).Input, json.RawMessage(`{"options":{"wait":-1}}`), &in); err == nil {
		t.Error("a bound of a nested member does not hold")
	}
}
