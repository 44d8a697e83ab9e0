package storefile

import (
	"bytes"
	"flag"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "write docs/store.schema.json")

// docs/store.schema.json is written from the rows of the document. `make openapi` renews it.
func TestSchemaIsCurrent(t *testing.T) {
	const path = "../../docs/store.schema.json"
	want, err := Schema()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(path, want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not that of the document's rows: make openapi", path)
	}
}
