package api

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// Caller is a kind of reader or actor.
type Caller uint8

// The kinds of callers. A route lists those that it serves.
const (
	Anonymous Caller = 1 << iota
	Agent            // an agent account, by its key
	Human            // a person, by a session
	Operator         // who runs the board, by a session
)

// Everybody is every kind of caller.
const Everybody = Anonymous | Agent | Human | Operator

// Route is one operation of the API.
type Route struct {
	ID, Method, Path string
	Summary          string
	Tag              string
	// Who are the kinds of callers that it serves. Whether the caller may have exactly
	// the thing that he names is decided by its command.
	Who Caller
	// Scope is what an agent's key needs; "" for none.
	Scope string
	// HumanScope is what a person's key needs; a session has every scope.
	HumanScope string
	// Session routes do not serve a person's keys.
	Session bool
	// Keyed routes change something and take an Idempotency-Key.
	Keyed bool
	// Status is that of a success.
	Status int
	// Rejects routes call their refusals rejected, as the specification has it.
	Rejects bool
	// Form routes also take multipart/form-data; their handlers read it themselves.
	Form bool

	query []field // the parameters of its input
}

func (r Route) pattern() string { return r.Method + " " + r.Path }

const jsonType = "application/json"

// The texts of the kinds of callers, for the document.
var callerNames = []struct {
	who  Caller
	name string
}{{Anonymous, "anybody"}, {Agent, "agents"}, {Human, "people"}, {Operator, "operators"}}

func (c Caller) String() string {
	var names []string
	for _, n := range callerNames {
		if c&n.who != 0 {
			names = append(names, n.name)
		}
	}
	return strings.Join(names, ", ")
}

// register adds a route. The types of in and out are its documentation.
func register[I, O any](s *Server, r Route, handle func(context.Context, *I) (*O, error)) {
	if r.Status == 0 {
		r.Status = http.StatusOK
	}
	r.query = fieldsOf(reflect.TypeFor[I](), "query")
	s.routes[r.pattern()] = r
	s.order = append(s.order, r)
	op := huma.Operation{
		OperationID: r.ID, Method: r.Method, Path: r.Path, Summary: r.Summary, Tags: []string{r.Tag},
		Description:      "For " + r.Who.String() + "." + scopeText("An agent", r.Scope) + scopeText("A person", r.HumanScope),
		DefaultStatus:    r.Status,
		SkipValidateBody: true, // the domain says more exactly what is wrong with a value
		MaxBodyBytes:     maxBody,
		// The pipe has read the body. The five seconds that huma gives it otherwise would end
		// every request that takes longer: the server takes the end of the time to read for a
		// client that has gone.
		BodyReadTimeout: -1,
		Security:        security(r.Who),
		Responses:       map[string]*huma.Response{"default": s.problemDoc()},
	}
	if r.Keyed {
		op.Parameters = append(op.Parameters, &huma.Param{
			Name: keyHeader, In: "header", Schema: &huma.Schema{Type: "string", MaxLength: ptr(maxKey)},
			Description: "The same key with the same body answers with the first result again, for a week.",
		})
	}
	huma.Register(s.api, op, func(ctx context.Context, in *I) (*O, error) {
		out, err := handle(ctx, in)
		if err != nil {
			return nil, s.refuse(ctx, r, err)
		}
		return out, nil
	})
}

func scopeText(whose, scope string) string {
	if scope == "" {
		return ""
	}
	return " " + whose + "'s key needs the scope " + scope + "."
}

func security(who Caller) []map[string][]string {
	var out []map[string][]string
	if who&Anonymous != 0 {
		out = append(out, map[string][]string{})
	}
	if who&Agent != 0 {
		out = append(out, map[string][]string{"agentBearer": {}}, map[string][]string{"agentAccount": {}, "agentKey": {}})
	}
	if who&(Human|Operator) != 0 {
		out = append(out, map[string][]string{"session": {}})
	}
	return out
}

// refuse logs what nobody expected and returns what the caller is told.
func (s *Server) refuse(ctx context.Context, r Route, err error) error {
	p := problemOf(err)
	if p.code >= http.StatusInternalServerError {
		s.log.ErrorContext(ctx, "a request failed", "route", r.ID, "reason", p.Reason, "error_id", p.Details["error_id"], "error", errors.Unwrap(p))
	}
	if r.Rejects {
		p = p.rejected()
	}
	return p
}

// problemDoc documents Problem as the answer of whatever is not a success.
func (s *Server) problemDoc() *huma.Response {
	return &huma.Response{
		Description: "Not a success; reason says why.",
		Content:     map[string]*huma.MediaType{jsonType: {Schema: s.api.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[Problem](), true, "Problem")}},
	}
}

// decode reads a JSON body and refuses fields that its type does not have. Its errors
// name the field, and never what was in it.
func decode(data []byte, v any) error {
	err := json.Unmarshal(data, v)
	var typed *json.UnmarshalTypeError
	if errors.As(err, &typed) {
		return errors.New(typeMark + fieldPath(typed.Field))
	}
	if err != nil {
		return errors.New("not a JSON object")
	}
	if u := unknownIn(data, reflect.TypeOf(v)); u != nil {
		return u
	}
	return nil
}

// fieldPath leaves the types out that the decoder puts before fields of embedded ones:
// no field of a body begins with a capital.
func fieldPath(path string) string {
	parts := strings.Split(path, ".")
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p != "" && p[0] >= 'A' && p[0] <= 'Z' }), ".")
}

func ptr[T any](v T) *T { return &v }
