package storefile

import (
	"bytes"
	"flag"
	"os"
	"testing"
)

var rewrite = flag.Bool("rewrite", false, "write docs/store.schema.json anew")

const schemaFile = "../../docs/store.schema.json"

func TestTheSchemaInTheDocsIsTheParsers(t *testing.T) {
	if *rewrite {
		if err := os.WriteFile(schemaFile, Schema(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(schemaFile)
	if err != nil || !bytes.Equal(kept, Schema()) {
		t.Errorf("docs/store.schema.json is not what the parser describes (%v); write it anew with\n\tgo test ./commerce/storefile -run TheSchemaInTheDocs -rewrite", err)
	}
}
