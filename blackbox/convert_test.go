package blackbox_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"

	"cartd/internal/redistest"
)

// migratingBlocks returns the blocks of commands of docs/migrating.md and what the first prints.
func migratingBlocks(t *testing.T) (catalogue, shown, day string) {
	t.Helper()
	page, err := os.ReadFile("../docs/migrating.md")
	if err != nil {
		t.Fatal(err)
	}
	found := pasteBlock.FindStringSubmatch(string(page))
	blocks := strings.Split(string(page), "```sh\n")
	if found == nil || len(blocks) != 3 {
		t.Fatal("docs/migrating.md has other blocks than those of the catalogue and of the day of the move")
	}
	day, _, _ = strings.Cut(blocks[2], "```")
	return found[1], found[2], day
}

// pasteIn runs commands of the documents in a folder.
func pasteIn(t *testing.T, dir, commands string) string {
	t.Helper()
	shell := exec.Command("bash", "-euo", "pipefail", "-c", strings.ReplaceAll(commands, "bin/cartd", binary))
	shell.Dir = dir
	out, err := shell.CombinedOutput()
	if err != nil {
		t.Fatalf("%s\n%v\n%s", commands, err, out)
	}
	return string(out)
}

// edit changes a document in a file.
func edit(t *testing.T, file string, change func(d object)) {
	t.Helper()
	d := readDocument(t, file)
	change(d)
	text, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

func readDocument(t *testing.T, file string) (d object) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &d)
	}
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// wantJSON compares two values as JSON.
func wantJSON(t *testing.T, got, want any) {
	t.Helper()
	a, _ := json.MarshalIndent(got, "", " ")
	b, _ := json.MarshalIndent(want, "", " ")
	if string(a) != string(b) {
		t.Errorf("got\n%s\nwant\n%s", a, b)
	}
}

// cartd import asks before it replaces a catalogue by an empty one.
func TestImportOfAnEmptyCatalogue(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	full, empty := storeFile(t, base()), storeFile(t, base(), func(d object) { d["products"], d["discounts"] = list{}, list{} })
	imports(t, r, empty).wantStores(t, "imported, 0 products")
	imports(t, r, full).wantStores(t, "imported")
	if f := imports(t, r, empty); f.code != 1 || !strings.Contains(f.stderr, "--allow-empty") || !strings.Contains(f.stderr, "nothing was loaded") {
		t.Errorf("%+v", f)
	}
	imports(t, r, full).wantStores(t, "unchanged")
	imports(t, r, empty, "--allow-empty").wantStores(t, "imported, 0 products")
}
