package storefile

import (
	"bytes"
	"errors"
	"testing"
)

// FuzzParse: no text makes Parse panic, every fault has a path and a message, and
// the settings of an accepted document are accepted and stay as they are.
func FuzzParse(f *testing.F) {
	f.Add([]byte(full(f)))
	f.Add([]byte(sparse))
	f.Add([]byte(minimal))
	text, _ := fifty()
	f.Add([]byte(text))
	f.Fuzz(func(t *testing.T, data []byte) {
		doc, err := Parse(data)
		if err == nil {
			checkSettings(t, doc)
			return
		}
		var faults *Faults
		if !errors.As(err, &faults) || len(faults.List()) == 0 {
			t.Fatalf("Parse(%q): %v, want a *Faults with faults", data, err)
		}
		for _, fault := range faults.List() {
			if fault.Path == "" || fault.Message == "" {
				t.Fatalf("Parse(%q): a fault without path or message: %q", data, fault)
			}
		}
	})
}

func checkSettings(t *testing.T, doc *Document) {
	t.Helper()
	again, err := Parse(doc.Settings)
	if err != nil {
		t.Fatalf("settings %s: %v", doc.Settings, err)
	}
	if !bytes.Equal(again.Settings, doc.Settings) {
		t.Fatalf("settings of settings are\n%s, want\n%s", again.Settings, doc.Settings)
	}
	expect(t, "store", again.Store, doc.Store)
}
