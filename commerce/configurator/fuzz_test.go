package configurator_test

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"cartd/commerce"
)

// FuzzPrice: no selection makes the engine panic. Errors name each field once and have messages. A
// price is the sum of its breakdown and does not depend on the order of the choices.
func FuzzPrice(f *testing.F) {
	text, err := os.ReadFile("testdata/worked.txt")
	if err != nil {
		f.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, "=") && !strings.HasPrefix(line, "#") {
			f.Add(strings.TrimSpace(line))
		}
	}
	engine := shop(f).Products[0].Configurator.Engine
	f.Fuzz(func(t *testing.T, line string) {
		s := selection(t, line)
		made, faults := engine.Price(s)
		fields := map[string]bool{}
		for _, fault := range faults {
			if fields[fault.Field] || len(fault.Messages) == 0 || slices.Contains(fault.Texts(), "") {
				t.Fatalf("%q: %+v", line, faults)
			}
			fields[fault.Field] = true
		}
		if faults != nil {
			if !reflect.DeepEqual(made, commerce.Configured{}) {
				t.Fatalf("%q: %+v beside %+v", line, made, faults)
			}
			return
		}
		total := commerce.Amount(0)
		for _, part := range made.Snapshot.Breakdown {
			total += part.Amount
		}
		slices.Reverse(s.Choices)
		if again, _ := engine.Price(s); total != made.UnitPrice || !reflect.DeepEqual(again, made) {
			t.Fatalf("%q: %+v, the parts %d, in another order %+v", line, made, total, again)
		}
	})
}
