package storefile

import (
	"bytes"
	"flag"
	"os"
	"reflect"
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

// What has a name is described alike wherever it stands.
func TestADefinitionHoldsWhereverItIsNamed(t *testing.T) {
	named := map[string]*schema{}
	var visit func(*schema)
	visit = func(s *schema) {
		if s.name != "" && named[s.name] != nil && !reflect.DeepEqual(s, named[s.name]) {
			t.Errorf("%s is described in two ways", s.name)
		}
		named[s.name] = s
		for _, p := range s.properties {
			visit(p.slot.holds)
		}
		if s.items != nil {
			visit(s.items.holds)
		}
	}
	visit(describe())
	if len(named) < 30 {
		t.Errorf("%d definitions, too few to show anything", len(named))
	}
}

// A description reads a document in which everything is absent: that is no fault.
func TestDescribingFindsNoFault(t *testing.T) {
	d := newDocument(nil)
	d.read(field{r: &d.reader, slot: &slot{}})
	if d.found != nil {
		t.Errorf("faults: %v", d.found)
	}
}
