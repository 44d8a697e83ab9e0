package storefile

import (
	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/strictjson"
)

// withStock returns settings with the current stock of products and variants. A product that is not
// in onHand keeps its stock. The text stays canonical.
func withStock(settings []byte, onHand map[uuid.UUID]commerce.Micros) ([]byte, error) {
	root, err := strictjson.Parse(settings)
	if err != nil {
		return nil, err
	}
	w := stockWriter{onHand: onHand}
	w.object(root, specials{"products": w.list(w.product)})
	return w.dst, nil
}

// specials are functions that write the values of some members, by name.
type specials map[string]func(strictjson.Value)

// stockWriter is a canonicalWriter that replaces the stock of products and variants.
type stockWriter struct {
	canonicalWriter
	onHand map[uuid.UUID]commerce.Micros
}

// object writes an object. The members in special have their own functions.
func (w *stockWriter) object(v strictjson.Value, special specials) {
	start := len(w.members)
	w.dst = append(w.dst, '{')
	for i, m := range w.sorted(v) {
		w.separate(i)
		if write := special[string(m.text)]; write != nil {
			w.value(m.name)
			w.dst = append(w.dst, ':')
			write(m.value)
			continue
		}
		w.member(m)
	}
	w.dst = append(w.dst, '}')
	w.members = w.members[:start]
}

func (w *stockWriter) list(item func(strictjson.Value)) func(strictjson.Value) {
	return func(v strictjson.Value) {
		if v.Kind() != strictjson.Array { // null
			w.value(v)
			return
		}
		w.dst = append(w.dst, '[')
		for i, one := range v.Items() {
			w.separate(i)
			item(one)
		}
		w.dst = append(w.dst, ']')
	}
}

func (w *stockWriter) product(v strictjson.Value) {
	w.stocked(v, specials{"variants": w.list(func(v strictjson.Value) { w.stocked(v, specials{}) })})
}

// stocked writes a product or variant with its current stock, even if the document gives none.
func (w *stockWriter) stocked(v strictjson.Value, special specials) {
	raw, _ := v.Get("id")
	id, _ := commerce.ParseID(raw.Text())
	stock, given := v.Get("stock")
	if now, known := w.onHand[id]; known && (given && stock.Kind() != strictjson.Null || now > 0) {
		text := strictjson.Value(appendText(nil, now.String()))
		special["stock"] = func(strictjson.Value) { w.value(text) }
		if !given {
			v = withMember(v, "stock", text)
		}
	}
	w.object(v, special)
}

// withMember is an object with one more member. The object must have a member already.
func withMember(object strictjson.Value, name string, value strictjson.Value) strictjson.Value {
	text := append(strictjson.Value{}, object[:len(object)-1]...)
	text = append(appendText(append(text, ','), name), ':')
	return append(append(text, value...), '}')
}
