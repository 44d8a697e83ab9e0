package blackbox_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"cartd/internal/redistest"
)

func TestCheckAcceptsAGoodFile(t *testing.T) {
	t.Parallel()
	good, other := storeFile(t, base()), storeFile(t, another(storeOther, keyOther, nil))
	for _, args := range [][]string{{"check", good}, {"check", good, other}} {
		if f := runs(t, args...); f.code != 0 {
			t.Errorf("cartd %v\n got: exit %d\n%s%s\nwant: exit 0", args, f.code, f.stdout, f.stderr)
		}
	}
}

// cartd check lists every fault as "path: what is wrong", exit 1.
func TestCheckListsEveryFault(t *testing.T) {
	t.Parallel()
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
	if end := bad + ": faults: 9\n"; !strings.HasSuffix(f.stderr, end) {
		t.Errorf("cartd check\n got: %s\nwant: %q at the end", f.stderr, end)
	}
}

// What may not be imported together is a fault, also beside a document with faults of
// its own. Spec: API key 2.
func TestCheckAndImportRefuseTheSameDocumentsBesideEachOther(t *testing.T) {
	t.Parallel()
	url := redistest.Mini(t).URL()
	file := storeFile(t, base())
	for fault, other := range map[string]string{
		"two documents are of store " + storeBase + ": give one": storeFile(t, base(), setting("name", "Other")),
		"belongs to another store too":                           storeFile(t, base(), setting("id", "51000000-0000-4000-8000-000000000099")),
	} {
		runs(t, "check", file, other).wantOneLine(t, fault)
		runs(t, "import", "--redis", url, file, other).wantOneLine(t, fault)
		bad := storeFile(t, base(), setting("colour", "red"))
		if f := runs(t, "check", bad, file, other); f.code != 1 || !strings.Contains(f.stderr, "store.colour: ") || !strings.Contains(f.stderr, fault) {
			t.Errorf("cartd %v\n got: exit %d\n%s\nwant: the fault of the first and %q", f.args, f.code, f.stderr, fault)
		}
	}
}

func TestCheckOfFilesThatAreNoDocuments(t *testing.T) {
	t.Parallel()
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

// --max-document holds for check, import and serve, and for what is unpacked.
func TestMaxDocumentFlag(t *testing.T) {
	t.Parallel()
	file := storeFile(t, base())
	size := len(read(t, file))
	under, at := "--max-document="+strconv.Itoa(size-1), "--max-document="+strconv.Itoa(size)
	fault := file + ": is larger than " + strconv.Itoa(size-1) + " unpacked: --max-document raises the limit"
	url := redistest.Mini(t).URL()
	for _, command := range [][]string{{"check"}, {"import", "--redis", url}} {
		runs(t, append(command, under, file)...).wantOneLine(t, fault)
		if f := runs(t, append(command, at, file)...); f.code != 0 {
			t.Errorf("cartd %v\n got: exit %d\n%s\nwant: exit 0", f.args, f.code, f.stderr)
		}
	}
	runs(t, "serve", "--redis", url, "--store", file, under).wantOneLine(t, fault)
	runs(t, "check", "--max-document", "1GB", file).wantUsage(t, `--max-document="1GB": write a size above zero in bytes, KiB, MiB or GiB, such as 512MiB`)
}

// Absurd values end in a fault, bounded in time and memory.
func TestAbsurdDocumentsAreRefusedAtOnce(t *testing.T) {
	t.Parallel()
	valid := string(read(t, storeFile(t, base())))
	for _, c := range []struct{ name, text, fault string }{
		{"a million nesting levels", strings.Repeat("[", 1_000_000), "line 1, column 65: nested deeper than 64 levels"},
		{"a million nested objects", strings.Repeat(`{"a":`, 1_000_000), "nested deeper than 64 levels"},
		{"1e1000000", strings.Replace(valid, `"price_amount": 1999`, `"price_amount": 1e1000000`, 1), "products[0].price_amount: must be an integer"},
		{"a million digits", strings.Replace(valid, `"price_amount": 1999`, `"price_amount": `+strings.Repeat("9", 1_000_000), 1), "products[0].price_amount: must be "},
		{"a percentage of a million digits", strings.Replace(valid, `"rate": "5.5"`, `"rate": "`+strings.Repeat("9", 1_000_000)+`"`, 1), "tax_rates[2].rate: must be a decimal string"},
		{"a quantity of 1e1000000", strings.Replace(valid, `"min_quantity": "50"`, `"min_quantity": "1e1000000"`, 1), "products[1].tiers[1].min_quantity: must be a decimal string"},
		{"a format of 1e1000000", strings.Replace(valid, `"format": 1`, `"format": 1e1000000`, 1), "format: must be 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			began := time.Now()
			f := pipes(t, []byte(c.text), "check", "-")
			if took := time.Since(began); took > requestTimeout {
				t.Errorf("it took %v", took)
			}
			if f.code != 1 || !strings.Contains(f.stderr, c.fault) || len(f.stderr) > 1000 {
				t.Errorf("got: exit %d, %d bytes of stderr\n%.1000s\nwant: exit 1 and %q", f.code, len(f.stderr), f.stderr, c.fault)
			}
		})
	}
}
