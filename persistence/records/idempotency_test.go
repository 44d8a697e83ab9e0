package records

import (
	"testing"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
)

func FuzzParseEntry(f *testing.F) {
	f.Add(string(MakeEntry(&engine.Effects{Effects: commerce.Effects{Made: uuid.UUID{1}},
		Idempotency: &engine.IdempotencyKey{Name: [16]byte{1}, Request: [16]byte{2}, Status: 201}}, engine.Stamp{Counter: 1, Writer: 2, Sequence: 3})))
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		e, err := ParseEntry(text)
		refused := text != "" && (len(text) < entrySize || text[0] == 0 || text[0] > entryFormat)
		if (e == nil) != (text == "" || err != nil) || (err != nil) != refused {
			t.Fatalf("%q: %+v, %v", text, e, err)
		}
		if e == nil {
			return
		}
		again := MakeEntry(&engine.Effects{Effects: commerce.Effects{Made: e.Made}, Idempotency: &engine.IdempotencyKey{Request: e.Request, Status: e.Status}},
			e.Stamp)
		if string(again[StampFrom:]) != text[StampFrom:entrySize] {
			t.Fatalf("%q was read as %+v, which is %q", text, e, again)
		}
	})
}
