package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCheckAcceptsAGoodFile(t *testing.T) {
	good, other := storeFile(t, base()), storeFile(t, another(storeOther, keyOther, nil))
	for _, args := range [][]string{{"check", good}, {"check", good, other}} {
		if f := runs(t, args...); f.code != 0 {
			t.Errorf("cartd %v\n got: exit %d\n%s%s\nwant: exit 0", args, f.code, f.stdout, f.stderr)
		}
	}
}

// cartd check lists every fault as "path: what is wrong", exit 1.
func TestCheckListsEveryFault(t *testing.T) {
	bad := storeFile(t, base(),
		setting("colour", "red"), setting("modules", list{"catalog", "weather"}),
		changed(hammer, "price_amount", -1), changed(nails, "tax", "luxury"), changed(drill, "id", hammer),
		changed(cable, "unit", "yard"), changed(paper, "name", nil),
		func(document object) { document["tax_rates"].(list)[1].(object)["rate"] = "101" },
		func(document object) { document["api_keys"].(list)[0].(object)["scopes"] = list{"commerce:fly"} },
	)
	good := storeFile(t, base())
	f := runs(t, "check", good, bad)
	if f.code != 1 {
		t.Errorf("cartd check\n got: exit %d, want 1", f.code)
	}
	output := f.stdout + f.stderr
	for _, path := range []string{
		"store.colour: ", "store.modules[1]: ", "products[0].price_amount: must be an integer of at least 0", "products[1].tax: ",
		"products[2].id: ", "products[5].unit: ", "products[12].name: ", "tax_rates[1].rate: ", "api_keys[0].scopes[0]: ",
	} {
		if !strings.Contains(output, path) {
			t.Errorf("cartd check\n got: %s\nwant: a line with %q", output, path)
		}
	}
	wantNoSecretsIn(t, output)
}

func TestCheckOfFilesThatAreNoDocuments(t *testing.T) {
	for _, text := range []string{"", "{", "[]", "null", "{}", `{"format":2}`, `{"format":1} x`} {
		file := filepath.Join(t.TempDir(), "store.json")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if f := runs(t, "check", file); f.code != 1 || f.stdout+f.stderr == "" {
			t.Errorf("cartd check of %q\n got: exit %d %q\nwant: exit 1 and what is wrong", text, f.code, f.stdout+f.stderr)
		}
	}
}
