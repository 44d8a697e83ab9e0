package storefile

import (
	"errors"
	"testing"
)

// FuzzParse: no text makes Parse panic. Every fault has a path and a message. The settings of an
// accepted document are accepted and have the same settings.
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
	settings := settingsOf(t, doc)
	again, err := Parse([]byte(settings))
	if err != nil {
		t.Fatalf("settings %s: %v", settings, err)
	}
	if got := settingsOf(t, again); got != settings {
		t.Fatalf("settings of settings are\n%s, want\n%s", got, settings)
	}
	expect(t, "store", again.Store, doc.Store)
}
