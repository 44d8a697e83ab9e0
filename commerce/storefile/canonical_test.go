package storefile

import (
	"crypto/sha256"
	"encoding/json"
	"strings"
	"testing"

	"cartd/internal/strictjson"
)

func TestCanonicalText(t *testing.T) {
	for text, want := range map[string]string{
		` { "b" : [ 1.50 , -0 , 1E+2 , true , null ] , "a" : { } } `: `{"a":{},"b":[1.50,-0,1E+2,true,null]}`,
		`"\u0061\/\u00e9\n\"\\\ud83d\ude00"`:                         `"a/é\n\"\\😀"`,
		`"\u0008\u0009\u000a\u000c\u000d\u001F\u007f"`:               `"\b\t\n\f\r\u001f` + "\x7f\"",
		`{"\u007a":1,"é":2,"y":3,"Z":4,"":5}`:                        `{"":5,"Z":4,"y":3,"z":1,"é":2}`,
	} {
		v, err := strictjson.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		var c canonicalWriter
		if c.value(v, nil); string(c.dst) != want || len(c.dst) > len(text) {
			t.Errorf("canonical of %s = %s, want %s", text, c.dst, want)
		}
	}
}

// rewritten is a text with the same content but other white space, another order of members and
// other escapes.
func rewritten(t *testing.T, text string) string {
	t.Helper()
	sorted, err := json.MarshalIndent(decodedTree(t, text), " ", "\t")
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(sorted), `"name"`, `"n\u0061me"`)
}

func TestTheHashDependsOnlyOnTheContent(t *testing.T) {
	text := shownSorted.Replace(full(t))
	doc, again := mustParse(t, text), mustParse(t, rewritten(t, text))
	expect(t, "document", again, doc)
	for _, c := range [][2]string{
		{`"amount": 500}`, `"amount": 501}`}, {`"demo-storefront-key"`, `"demo-storefront-key2"`}, {`"first_name": "Ada"`, `"first_name": "Eva"`},
	} {
		if other := mustParse(t, strings.Replace(text, c[0], c[1], 1)); other.Hash == doc.Hash {
			t.Errorf("%s instead of %s: the hash is the same", c[1], c[0])
		}
	}
}

func TestHashIsOverTheWholeCanonicalText(t *testing.T) {
	text := full(t)
	root, err := strictjson.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var c canonicalWriter
	c.value(root, &documentOutline)
	if got, want := mustParse(t, text).Hash, sha256.Sum256(c.dst); got != want {
		t.Errorf("hash %x, want %x", got, want)
	}
}

func TestSettingsHaveNoSecretOfKeysAndCustomers(t *testing.T) {
	settings := settingsOf(t, mustParse(t, full(t)))
	for _, secret := range []string{"api_keys", "customers\":[{", "demo-storefront-key", "demo-token-ada", `"secret"`} {
		if strings.Contains(strings.ReplaceAll(settings, `"secret":"whsec`, ""), secret) {
			t.Errorf("the settings contain %s", secret)
		}
	}
}

// The canonical text of a document is never in memory as a whole.
func TestCanonicalHoldsNoCopyOfTheDocument(t *testing.T) {
	entry := `{"b":["x",1],"a":"` + strings.Repeat("y", 4<<10) + `"},`
	text := []byte(`{"products":[` + strings.Repeat(entry, 1<<13) + `{}]}`)
	root, err := strictjson.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if used := allocated(func() { canonical(root) }); used > uint64(len(text)/4) {
		t.Errorf("%d bytes allocated for a document of %d", used, len(text))
	}
}

// The pages of a document are those of its canonical text.
func TestPagesOfADocument(t *testing.T) {
	doc := mustParse(t, full(t))
	want, err := Cut([]byte(settingsOf(t, doc)), 0)
	if err != nil {
		t.Fatal(err)
	}
	expect(t, "table", doc.Pages.Table, want.Table)
	expect(t, "pages", doc.Pages.Packed, want.Packed)
}
