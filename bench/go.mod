module github.com/legwork-mcp/legwork/bench

go 1.26.8

replace github.com/legwork-mcp/legwork => ../

require (
	github.com/google/go-cmp v0.7.0
	github.com/legwork-mcp/legwork v0.0.0
	github.com/modelcontextprotocol/go-sdk v1.8.0
)

require (
	github.com/chromedp/cdproto v0.160.0 // indirect
	github.com/coder/websocket v1.8.15 // indirect
	github.com/go-json-experiment/json v0.0.0-20260213210345-44df1a37e875 // indirect
	github.com/google/jsonschema-go v0.4.3 // indirect
	github.com/segmentio/asm v1.2.1 // indirect
	github.com/segmentio/encoding v0.5.4 // indirect
	github.com/yosida95/uritemplate/v3 v3.0.2 // indirect
	golang.org/x/image v0.48.0 // indirect
	golang.org/x/oauth2 v0.38.0 // indirect
	golang.org/x/sync v0.25.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
	golang.org/x/time v0.16.0 // indirect
)
