package storefile

import (
	"reflect"
	"testing"
)

func TestKeptSettingsAreTheSameStore(t *testing.T) {
	for name, text := range map[string]string{"full": full(t), "minimal": minimal} {
		doc := mustParse(t, text)
		store, err := ParseKept([]byte(settingsOf(t, doc)))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		expect(t, name, store, doc.Store)
	}
}

// ParseKept refuses settings with the same faults as Parse.
func TestKeptSettingsAreReadStrictly(t *testing.T) {
	for _, text := range []string{"", "{", minimal[:40], `{"format":2}`, `{"format":1,"store":{"id":1}}`} {
		_, want := Parse([]byte(text))
		if _, err := ParseKept([]byte(text)); err == nil || !reflect.DeepEqual(err, want) {
			t.Errorf("ParseKept(%q) = %v, want %v", text, err, want)
		}
	}
}
