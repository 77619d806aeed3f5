#!/usr/bin/env bash
# Checks MCP servers that others publish (npm and the Go module proxy) with bin/legwork, and prints a Markdown table.
# The reports stay in build/real-servers/reports. Names as arguments check these alone. Needs npm, Node and Go; what a
# server would need besides (keys, a browser, a network) it does not get.
set -euo pipefail
cd "$(dirname "$0")/.."
for need in npm node go; do
	command -v $need >/dev/null || { echo "checking public servers needs $need" >&2; exit 1; }
done
[ -x bin/legwork ] || { echo "checking public servers needs bin/legwork: make build" >&2; exit 1; }
dir=$PWD/build/real-servers
legwork=$PWD/bin/legwork
mkdir -p "$dir/reports" "$dir/files"
if ! cmp -s scripts/real-servers/package-lock.json "$dir/installed"; then
	rm -rf "$dir/node_modules"
	cp scripts/real-servers/package.json scripts/real-servers/package-lock.json "$dir/"
	(cd "$dir" && PUPPETEER_SKIP_DOWNLOAD=1 PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --ignore-scripts --no-audit --no-fund --loglevel error)
	cp scripts/real-servers/package-lock.json "$dir/installed"
fi
# name, module, version
while read -r name module version; do
	[ -x "$dir/bin/$name" ] || {
		(cd / && GOBIN="$dir/bin/of-$name" GOFLAGS= go install "$module@$version")
		mv "$dir/bin/of-$name/${module##*/}" "$dir/bin/$name"
	}
done <<'LIST'
go-sdk-everything github.com/modelcontextprotocol/go-sdk/examples/server/everything v1.8.0
mcp-go-everything github.com/mark3labs/mcp-go/examples/everything v1.2.1
gopls golang.org/x/tools/gopls v0.21.0
LIST
js=$dir/node_modules/.bin
declare -A servers=(
	[everything]="$js/mcp-server-everything"
	[filesystem]="$js/mcp-server-filesystem $dir/files"
	[memory]="$js/mcp-server-memory"
	[sequential-thinking]="$js/mcp-server-sequential-thinking"
	[context7]="$js/context7-mcp"
	[playwright]="$js/playwright-mcp"
	[chrome-devtools]="$js/chrome-devtools-mcp"
	[figma]="$js/figma-developer-mcp --stdio --figma-api-key=none"
	[chart]="$js/mcp-server-chart"
	[notion]="$js/notion-mcp-server"
	[tavily]="$js/tavily-mcp"
	[go-sdk-everything]="$dir/bin/go-sdk-everything"
	[mcp-go-everything]="$dir/bin/mcp-go-everything"
	[gopls]="$dir/bin/gopls mcp"
)
names=("$@")
[ ${#names[@]} -gt 0 ] || mapfile -t names < <(printf '%s\n' "${!servers[@]}" | sort)
echo '| server | calls itself | wire | tools | tokens of tools/list | errors | warnings | notes | time |'
echo '|---|---|---|---|---|---|---|---|---|'
cd "$dir/files"
for name in "${names[@]}"; do
	read -ra command <<<"${servers[$name]:?there is no such server}"
	report=$dir/reports/$name.json
	# 1 is a server with errors, 4 one that cannot be reached: both are rows of the table
	"$legwork" check --json -- "${command[@]}" >"$report" 2>"${report%.json}.log" || [ $? -le 4 ] || echo "$name: see ${report%.json}.log" >&2
	node -e '
		const [name, file] = process.argv.slice(1), r = JSON.parse(require("fs").readFileSync(file));
		const count = s => r.findings.filter(f => f.severity == s).length;
		const rules = s => [...new Set(r.findings.filter(f => f.severity == s).map(f => f.rule))].join(" ");
		const cell = s => count(s) ? `${count(s)}: ${rules(s)}` : "0";
		console.log("| " + [name, `${r.server_name ?? "-"} ${r.server_version ?? ""}`.trim(), r.era ?? "-", r.tools, r.tool_tokens,
			cell("error"), cell("warning"), count("info"), (r.duration_ms / 1000).toFixed(1) + " s"].join(" | ") + " |");
	' "$name" "$report"
done
