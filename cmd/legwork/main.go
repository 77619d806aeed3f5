// Command legwork runs errands that an AI agent cannot do by talking.
package main

import (
	"os"

	"github.com/legwork-mcp/legwork/internal/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Environ: os.Environ()}))
}
