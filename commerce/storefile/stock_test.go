package storefile

import (
	"testing"

	"github.com/google/uuid"

	"cartd/commerce"
)

// The current stock replaces the document's stock. The text stays canonical.
func TestSettingsWithTheCurrentStock(t *testing.T) {
	id := func(n byte) uuid.UUID { return uuid.UUID{6: 0x40, 8: 0x80, 15: n} }
	now := map[uuid.UUID]commerce.Micros{id(1): 2_500_000, id(2): 0, id(3): 7_000_000, id(4): 1, id(5): 0, id(6): 9_000_000, id(7): 0}
	product := func(n byte, members string) string { return `{` + members + `"id":"` + id(n).String() + `"` }
	for _, c := range []struct{ text, want string }{
		{`{}`, `{}`},
		{`{"products":null}`, `{"products":null}`},
		{`{"format":1,"products":[],"store":{"stock":"1"}}`, `{"format":1,"products":[],"store":{"stock":"1"}}`},
		{`{"products":[` + product(1, "") + `,"stock":"1"}]}`, `{"products":[` + product(1, "") + `,"stock":"2.5"}]}`},
		{`{"products":[` + product(2, "") + `,"stock":"1","tax":"x"}]}`, `{"products":[` + product(2, "") + `,"stock":"0","tax":"x"}]}`},
		{`{"products":[` + product(3, "") + `,"slug":"a","tax":"x"}]}`, `{"products":[` + product(3, "") + `,"slug":"a","stock":"7","tax":"x"}]}`},
		{`{"products":[` + product(9, "") + `,"stock":"1","variants":[` + product(4, "") + `,"name":"\u001f"},` + product(5, "") + `},` + product(8, "") + `,"stock":null}]}]}`,
			`{"products":[` + product(9, "") + `,"stock":"1","variants":[` + product(4, "") + `,"name":"\u001f","stock":"0.000001"},` + product(5, "") + `},` + product(8, "") + `,"stock":null}]}]}`},
		{`{"products":[` + product(6, "") + `,"stock":null},` + product(7, "") + `,"stock":null}]}`, `{"products":[` + product(6, "") + `,"stock":"9"},` + product(7, "") + `,"stock":null}]}`},
	} {
		got, err := withStock([]byte(c.text), now)
		if err != nil || string(got) != c.want {
			t.Errorf("%s\n got %s, %v\nwant %s", c.text, got, err, c.want)
		}
	}
	if _, err := withStock([]byte(`{`), nil); err == nil {
		t.Error("settings that are not JSON were accepted")
	}
}
