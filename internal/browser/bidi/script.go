package bidi

import "encoding/json"

// RealmID names a global object in which scripts run.
type RealmID string

// The commands of the module script (WebDriver BiDi, 7.6).
var (
	CallFunction     = Command[CallFunctionParams, CallFunctionResult]{"script.callFunction"}
	AddPreloadScript = Command[PreloadParams, PreloadResult]{"script.addPreloadScript"}
)

// CallFunctionParams call a function declaration in a realm.
type CallFunctionParams struct {
	Function      string                `json:"functionDeclaration"`
	AwaitPromise  bool                  `json:"awaitPromise"`
	Target        Target                `json:"target"`
	Arguments     []any                 `json:"arguments,omitempty"` // StringValue or Reference
	Serialization *SerializationOptions `json:"serializationOptions,omitempty"`
}

// Target is a realm, or a context with the name of a sandbox in it.
type Target struct {
	Realm   RealmID   `json:"realm,omitempty"`
	Context ContextID `json:"context,omitempty"`
	Sandbox string    `json:"sandbox,omitempty"`
}

// StringValue is a string as an argument.
type StringValue struct {
	Type  string `json:"type"` // string
	Value string `json:"value"`
}

// String makes an argument of a string.
func String(value string) StringValue { return StringValue{Type: "string", Value: value} }

// ChannelValue is a function as an argument, which sends what it is given as the
// event Message.
type ChannelValue struct {
	Type  string `json:"type"` // channel
	Value struct {
		Channel string `json:"channel"`
	} `json:"value"`
}

// Channel makes a channel of a name.
func Channel(name string) ChannelValue {
	c := ChannelValue{Type: "channel"}
	c.Value.Channel = name
	return c
}

// Reference is a node as an argument.
type Reference struct {
	SharedID string `json:"sharedId"`
}

// SerializationOptions say how much of a result is told.
type SerializationOptions struct {
	MaxDOMDepth *int `json:"maxDomDepth"` // nil is no limit
	// ShadowTree is none, open or all.
	ShadowTree string `json:"includeShadowTree,omitempty"`
}

// CallFunctionResult is what the function returned or threw.
type CallFunctionResult struct {
	// Type is success or exception.
	Type      string            `json:"type"`
	Realm     RealmID           `json:"realm"`
	Result    RemoteValue       `json:"result"`
	Exception *ExceptionDetails `json:"exceptionDetails"`
}

// ExceptionDetails describe an exception. The text can quote the page.
type ExceptionDetails struct {
	Text string `json:"text"`
}

// RemoteValue is a value of the page. The form of Value depends on Type.
type RemoteValue struct {
	Type     string          `json:"type"`
	SharedID string          `json:"sharedId"`
	Value    json.RawMessage `json:"value"`
}

// Node is a node that was told with its children.
type Node struct {
	SharedID string `json:"sharedId"`
	Value    struct {
		Mode       string `json:"mode"` // of a shadow root: open or closed
		Children   []Node `json:"children"`
		ShadowRoot *Node  `json:"shadowRoot"`
	} `json:"value"`
}

// PreloadParams have a function run in every new document before its own scripts.
type PreloadParams struct {
	Function     string        `json:"functionDeclaration"`
	Arguments    []any         `json:"arguments,omitempty"` // ChannelValue only
	UserContexts []UserContext `json:"userContexts,omitempty"`
	Sandbox      string        `json:"sandbox,omitempty"`
}

// PreloadResult names the script.
type PreloadResult struct {
	Script string `json:"script"`
}

// The events of the module that are known here.
const (
	RealmCreated   = "script.realmCreated"
	RealmDestroyed = "script.realmDestroyed"
	Message        = "script.message"
)

// RealmInfo is the parameter of RealmCreated and RealmDestroyed.
type RealmInfo struct {
	Realm   RealmID   `json:"realm"`
	Context ContextID `json:"context"`
	Type    string    `json:"type"`
	Sandbox string    `json:"sandbox"`
}

// MessageInfo is the parameter of Message.
type MessageInfo struct {
	Channel string      `json:"channel"`
	Data    RemoteValue `json:"data"`
	Source  struct {
		Realm   RealmID   `json:"realm"`
		Context ContextID `json:"context"`
	} `json:"source"`
}

// Text is the value when it is a string, or empty.
func (v RemoteValue) Text() string {
	var s string
	if v.Type != "string" || json.Unmarshal(v.Value, &s) != nil {
		return ""
	}
	return s
}
