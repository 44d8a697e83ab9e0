package storefile

import (
	"bytes"
	"errors"
	"flag"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"cartd/internal/strictjson"
)

// The tests of this file compare the parser with its JSON schema. Both must refuse the same
// documents for faults of shape. The schema accepts a document that has only faults of content.

// schemaText is docs/store.schema.json.
var schemaText = sync.OnceValues(func() ([]byte, error) { return os.ReadFile("../../docs/store.schema.json") })

var compiledSchema = sync.OnceValues(func() (*jsonschema.Schema, error) {
	text, err := schemaText()
	if err != nil {
		return nil, err
	}
	content, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("store.schema.json", content); err != nil {
		return nil, err
	}
	return compiler.Compile("store.schema.json")
})

// schemaError returns the schema's error for a document, nil if it accepts the document.
func schemaError(t testing.TB, text []byte) error {
	t.Helper()
	schema, err := compiledSchema()
	if err != nil {
		t.Fatal(err)
	}
	content, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return schema.Validate(content)
}

// shapeFaults returns the faults of shape. cut is true if the list of all faults is incomplete.
func shapeFaults(t testing.TB, text []byte) (of []Fault, cut bool) {
	t.Helper()
	_, err := Parse(text)
	var faults *Faults
	if err != nil && !errors.As(err, &faults) {
		t.Fatalf("Parse: %v, want a *Faults", err)
	}
	if faults == nil {
		return nil, false
	}
	list := faults.List()
	if cut = len(list) > maxFaults; cut {
		list = list[:maxFaults]
	}
	for _, f := range list {
		if f.kind == ofShape {
			of = append(of, f)
		}
	}
	return of, cut
}

// agree fails unless parser and schema agree on a document's shape. It reports whether they accept
// it. If the parser's list is cut and has no fault of shape, the schema may still refuse.
func agree(t testing.TB, name string, text []byte) (accepted bool) {
	t.Helper()
	faults, cut := shapeFaults(t, text)
	err := schemaError(t, text)
	if cut && faults == nil {
		return false
	}
	if (faults == nil) != (err == nil) {
		t.Errorf("%s\nparser's faults of shape: %v\nschema: %v", name, faults, err)
	}
	return faults == nil
}

// documents are the documents that the tests alter.
func documents(t testing.TB) map[string]string {
	t.Helper()
	demo, err := os.ReadFile("../../cmd/cartd/demo/store.json")
	if err != nil {
		t.Fatal(err)
	}
	return map[string]string{"full": full(t), "sparse": sparse, "minimal": minimal, "demo": string(demo)}
}

func TestTheSchemaAcceptsTheParsersDocuments(t *testing.T) {
	for name, text := range documents(t) {
		if !agree(t, name, []byte(text)) {
			t.Errorf("%s is refused", name)
		}
	}
}

// Every twelfth alteration, from a random one on; the long tests compare them all.
func TestParserAndSchemaAgreeOnAlterations(t *testing.T) {
	agreeOnAlterations(t, 24)
}

// agreeOnAlterations compares parser and schema on one of this many alterations.
func agreeOnAlterations(t *testing.T, oneOf int) {
	t.Helper()
	number, accepted, refused := rand.IntN(oneOf), 0, 0
	alterations(t, append(fragments(t, full(t)), fragments(t, sparse)...), func(change string, text func() string) {
		number++
		switch {
		case number%oneOf != 0:
		case agree(t, change, []byte(text())):
			accepted++
		default:
			refused++
		}
	})
	t.Logf("%d alterations accepted, %d refused", accepted, refused)
	if accepted < 1000/oneOf || refused < 5000/oneOf {
		t.Errorf("%d alterations accepted, %d refused: too few to show anything", accepted, refused)
	}
}

var seed = flag.Uint64("seed", 0, "the seed of the random documents; 0: a new one")

func TestParserAndSchemaAgreeOnRandomDocuments(t *testing.T) {
	if *seed == 0 {
		*seed = rand.Uint64()
	}
	random := rand.New(rand.NewPCG(*seed, 0))
	for name, text := range documents(t) {
		for range 10 {
			root := decodedTree(t, text)
			var done []string
			for range 1 + random.IntN(3) {
				done = append(done, name+alterAnywhere(random, &root))
			}
			agree(t, strings.Join(done, ", "), []byte(spelt(root)))
		}
	}
	if t.Failed() {
		t.Logf("once more: go test ./commerce/storefile -run RandomDocuments -seed %d", *seed)
	}
}

// FuzzShape: parser and schema agree on every valid JSON text.
func FuzzShape(f *testing.F) {
	for _, text := range append(fragments(f, full(f)), fragments(f, sparse)...) {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		root, err := strictjson.Parse(data)
		if err != nil || repeatsNames(root) || hugeExponent.Match(data) {
			return // a schema does not judge syntax; FuzzParse tests it
		}
		agree(t, string(data), data)
	})
}

// hugeExponent matches a number whose digits the schema library cannot write out.
var hugeExponent = regexp.MustCompile(`[0-9][eE][+-]?[0-9]{4}`)

// repeatsNames reports whether an object repeats a member name. A schema sees only one of them.
func repeatsNames(v strictjson.Value) bool {
	seen := map[string]bool{}
	for name, value := range v.Members() {
		if seen[name] || repeatsNames(value) {
			return true
		}
		seen[name] = true
	}
	for _, item := range v.Items() {
		if repeatsNames(item) {
			return true
		}
	}
	return false
}
