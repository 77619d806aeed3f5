package check

// listRules are about what the server lists.
var listRules = []named{
	{"list-failed", rule{Error, "A list that the server announces cannot be read", spec(newest, "Server Features"), "Answer the list of each capability that is announced."}},
	{"list-timeout", rule{Error, "A list does not come in time", spec(newest, "Lifecycle, Timeouts"), "Answer lists at once; what takes long belongs behind them."}},
	{"list-shape", rule{Error, "A list is no array", spec(newest, "Schema, ListToolsResult"), "Send an array, empty when there is nothing."}},
	{"list-endless", rule{Error, "The pages of a list never end", spec(newest, "Utilities, Pagination"), "Leave nextCursor out of the last page, and never give a cursor twice."}},
	{"item-malformed", rule{Error, "An item of a list is malformed", spec(newest, "Schema"), "Send an object with the required members in their types; one bad item can void the whole list."}},
	{"tool-name-duplicate", rule{Error, "Two tools have the same name", spec(newest, "Tools, Tool Names"), "Give each tool a name of its own."}},
	{"name-duplicate", rule{Error, "Two items have the same name, URI or id", spec(newest, "Server Features"), "Give each one its own."}},
	{"capability-missing", rule{Warning, "The server offers what it does not announce", spec(newest, "Lifecycle, Capability Negotiation"), "Announce the capability; clients do not ask for what is not announced."}},
	{"tool-schema-missing", rule{Error, "A tool has no input schema", spec(newest, "Tools, Tool"), "Send inputSchema; for a tool without parameters {\"type\":\"object\",\"additionalProperties\":false}."}},
	{"tool-schema-misplaced", rule{Error, "The input schema stands in the wrong place", spec(newest, "Tools, Tool"), "Put it into inputSchema of the tool."}},
	{"tool-name-invalid", rule{Warning, "A tool's name is not portable", spec(newest, "Tools, Tool Names"), "Use 1 to 128 of A-Z a-z 0-9 _ - . and no other characters."}},
}

// schemaRules are about input and output schemas.
var schemaRules = []named{
	{"schema-root-type", rule{Error, "The root of an input schema has not type object", spec(newest, "Tools, Tool"), "Set type to \"object\" at the root; arguments are an object."}},
	{"schema-ref-external", rule{Error, "A schema refers to another document", spec(modern, "JSON Schema Usage"), "Put the referred schema into $defs of the same schema; clients must not fetch it."}},
	{"schema-ref-broken", rule{Error, "A $ref leads nowhere", Clause{"JSON Schema", "8.2.3.1", "2020-12"}, "Define what is referred to, or correct the pointer."}},
	{"schema-invalid", rule{Error, "A schema is no JSON Schema", Clause{"JSON Schema", "4.3", "2020-12"}, "Correct the keyword that the evidence names."}},
	{"header-annotation", rule{Error, "Clients must leave a tool out because of its x-mcp-header", spec(modern, "Transports, Custom Headers from Tool Parameters"), "Annotate parameters of type string, integer or boolean only, with names of headers that differ."}},
	{"schema-required-unknown", rule{Error, "A required property can never be given", Clause{"JSON Schema Validation", "6.5.3", "2020-12"}, "Define the property, or do not require it."}},
	{"output-root-type", rule{Error, "The root of an output schema has not type object", spec(newest, "Tools, Output Schema"), "Wrap the value in an object; other roots exist only since 2026-07-28."}},
	{"annotation-type", rule{Error, "An annotation has the wrong type", spec(newest, "Schema, ToolAnnotations"), "Hints are booleans, title is a string."}},
	{"schema-root-combinator", rule{Warning, "The root of an input schema has oneOf, anyOf or allOf", practice("Model APIs refuse combinators at the root"), "Describe one object with optional properties, or make several tools."}},
	{"schema-complex", rule{Error, "A schema is too complex to be used", practice("Validators run for ever on it, or out of memory"), "Take alternatives and references apart: each reference to a definition with alternatives multiplies them. Shorten names, patterns and lists of values."}},
	{"schema-ref-cycle", rule{Warning, "A schema refers to itself", practice("Model APIs refuse recursive schemas"), "Unroll the recursion to a fixed depth, or take the inner value as an object."}},
	{"schema-defs", rule{Info, "A schema uses $defs and $ref", practice("Some clients copy only properties and required"), "Write small schemas out in place."}},
	{"schema-enum", rule{Warning, "An enum is empty, repeats itself or mixes types", Clause{"JSON Schema Validation", "6.1.2", "2020-12"}, "List each value once, all of one type."}},
	{"schema-untyped", rule{Warning, "A property has no type", practice("Models guess what to send, some APIs refuse it"), "Give each property a type or an enum."}},
	{"schema-array-items", rule{Warning, "An array does not say what it holds", practice("Some model APIs refuse arrays without items"), "Add items with a type."}},
	{"schema-pattern", rule{Info, "A pattern uses what not every engine of regular expressions has", Clause{"JSON Schema", "6.4", "2020-12"}, "Use the portable subset of ECMA-262."}},
}

// adviceRules are about how well a model can use the server.
var adviceRules = []named{
	{"tool-description-missing", rule{Warning, "A tool has no description", spec(newest, "Tools, Tool"), "Say in one or two sentences what it does and when to use it: a model chooses by this text."}},
	{"text-control", rule{Warning, "A text has characters that are obeyed and not shown", practice("Terminals and readers of text obey them"), "Remove control characters, marks that turn the direction of text, and invisible characters."}},
	{"text-instructs", rule{Warning, "A text gives the model orders", practice("Models take descriptions for instructions"), "Say what the tool does; do not tell the model what to do beside it, or what to keep from its user."}},
	{"tools-ambiguous", rule{Warning, "Two tools cannot be told apart", practice("Models choose by description"), "Say in each description when to use it and not the other."}},
	{"tool-hints-contradict", rule{Warning, "The annotations of a tool contradict each other", spec(newest, "Schema, ToolAnnotations"), "A read-only tool is not destructive: set one of the hints."}},
	{"name-against-hint", rule{Warning, "A tool is marked read-only, its name says otherwise", spec(newest, "Schema, ToolAnnotations"), "Set readOnlyHint to false if it changes anything: hosts call read-only tools without asking."}},
	{"tools-cost", rule{Warning, "The list of tools is expensive", practice("Every conversation pays for it"), "Shorten descriptions, drop unused tools, write schemas out once."}},
	{"prompt-invalid", rule{Error, "A prompt's arguments are malformed", spec(newest, "Prompts, Data Types"), "Send arguments as an array of objects with a name each."}},
	{"resource-uri", rule{Error, "A resource has no usable URI", spec(newest, "Resources, Data Types"), "Send an absolute URI (RFC 3986) with a scheme."}},
	{"template-invalid", rule{Error, "A resource template is no URI template", Clause{"RFC 6570", "2", ""}, "Correct the expression in braces."}},
	{"icon-invalid", rule{Warning, "An icon cannot be used", spec(newest, "Icons"), "Give each icon a src with https: or data:."}},
	{"description-missing", rule{Info, "A prompt or resource has no description", spec(newest, "Server Features"), "Say in a sentence what it is for."}},
	{"property-description-missing", rule{Info, "Properties of a tool have no description", practice("Models guess what to send"), "Describe each property: meaning, unit, an example."}},
	{"annotations-missing", rule{Info, "A tool has no annotations", spec(newest, "Schema, ToolAnnotations"), "Say readOnlyHint and destructiveHint: without them hosts assume that it destroys."}},
	{"output-schema-missing", rule{Info, "No tool has an output schema", spec(newest, "Tools, Output Schema"), "Describe structured results, so that programs can use them."}},
}
