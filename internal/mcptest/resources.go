package mcptest

import (
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"github.com/legwork-mcp/legwork/internal/tool"
)

// Resources are the transcripts, as what get_transcript answers.
func (s *Server) Resources() []tool.Resource {
	t := getTranscript.Bind(s)
	return []tool.Resource{
		{
			Name: "transcript", Title: "What passed on a connection", Template: "mcptest://{connection}/transcript",
			Description: "The newest entries of the transcript of a connection, without secrets.", Tool: t, Arguments: transcriptOf,
		},
		{
			Name: "transcript-entry", Title: "One entry of a transcript", Template: "mcptest://{connection}/transcript/{entry}",
			Description: "One entry of the transcript of a connection, by its seq: up to 60 kB of it, without secrets.", Tool: t, Arguments: transcriptOf,
		},
	}
}

// transcriptOf reads the URI of a transcript.
func transcriptOf(uri string) (json.RawMessage, bool) {
	rest, ok := strings.CutPrefix(uri, "mcptest://")
	parts := strings.Split(rest, "/")
	if !ok || len(parts) < 2 || len(parts) > 3 || parts[1] != "transcript" {
		return nil, false
	}
	name, err := url.PathUnescape(parts[0])
	if err != nil || name == "" {
		return nil, false
	}
	in := TranscriptIn{Connection: name, Limit: 200}
	if len(parts) == 3 {
		n, err := strconv.ParseUint(parts[2], 10, 62)
		if err != nil || n == 0 {
			return nil, false
		}
		in.Entry = int64(n)
	}
	raw, err := json.Marshal(in)
	return raw, err == nil
}
