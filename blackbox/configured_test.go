package blackbox_test

import (
	"encoding/json"
	"fmt"
	"strings"
)

func configured(configuration string) string { return `"configuration":` + configuration }

// configuredLine is a line with its attributes as in the envelope.
type configuredLine struct {
	line
	Attributes json.RawMessage
}

func (a answer) configuredLines(status int) []configuredLine {
	a.t.Helper()
	a.wantStatus(status)
	var envelope struct {
		Data struct{ Lines []configuredLine }
	}
	if err := json.Unmarshal(a.body, &envelope); err != nil {
		a.t.Fatalf("%v: %v", a, err)
	}
	return envelope.Data.Lines
}

// wantConfigured wants the lines as "quantity × unit price attributes", in their order.
func (a answer) wantConfigured(status int, want ...string) {
	a.t.Helper()
	lines := a.configuredLines(status)
	for i := range max(len(lines), len(want)) {
		got, expected := "none", "none"
		if i < len(lines) {
			attributes, _ := canonical(lines[i].Attributes)
			got = fmt.Sprintf("%s × %d %s", lines[i].Quantity, lines[i].UnitPrice, attributes)
		}
		if i < len(want) {
			count, attributes, _ := strings.Cut(want[i], "{")
			attributes, _ = canonical([]byte("{" + attributes))
			expected = count + attributes
		}
		if got != expected {
			a.t.Errorf("%v\nline %d\n got: %s\nwant: %s", a, i, got, expected)
		}
	}
}

func (a answer) wantQuote(required bool) {
	a.t.Helper()
	if !strings.HasSuffix(string(a.wantStatus(200).body), fmt.Sprintf(`"requires_quote":%v}`, required)) {
		a.t.Errorf("%v\nwant: requires_quote %v", a, required)
	}
}
