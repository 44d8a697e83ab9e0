//go:build long

package blackbox_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// generated are clients that public generators make of the API's description: the files of a project, and the
// commands that make the client and compile it.
var generated = map[string]struct {
	files map[string]string
	steps []string
}{
	"oapi-codegen": {
		map[string]string{"go.mod": "module example.com/shop\n\ngo 1.25\n", "api/doc.go": "package api\n",
			"main.go": "package main\n\nimport _ \"example.com/shop/api\"\n\nfunc main() {}\n"},
		[]string{
			"go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 -generate types,client -package api -o api/api.go openapi.json",
			"go mod tidy", "go build ./...",
		},
	},
	"orval": {
		map[string]string{
			"package.json":      `{"name":"shop","private":true}`,
			"orval.config.json": `{"cartd":{"input":"./openapi.json","output":{"target":"./api.ts","client":"fetch"}}}`,
			"tsconfig.json": `{"compilerOptions":{"strict":true,"noEmit":true,"target":"es2022","module":"esnext","moduleResolution":"bundler",
				"lib":["es2022","dom"],"skipLibCheck":true,"types":[]},"include":["api.ts"]}`,
		},
		[]string{
			"npm install --no-audit --no-fund --loglevel=error orval@7.13.2 typescript@5.9.3",
			"npx orval --config orval.config.json", "npx tsc -p .",
		},
	},
}

// Generators of clients understand the API's description, and what they make compiles.
func TestLongGeneratedClientsCompile(t *testing.T) {
	description, err := os.ReadFile("../docs/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	for name, g := range generated {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			g.files["openapi.json"] = string(description)
			for file, text := range g.files {
				path := filepath.Join(dir, file)
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			for _, step := range g.steps {
				words := strings.Fields(step)
				command := exec.CommandContext(t.Context(), words[0], words[1:]...)
				command.Dir, command.Env = dir, append(os.Environ(), "GOFLAGS=", "GOWORK=off")
				if output, err := command.CombinedOutput(); err != nil {
					t.Fatalf("%s: %v\n%s", step, err, output)
				}
			}
		})
	}
}
