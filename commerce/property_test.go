package commerce

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/uuid"

	"cartd/internal/dice"
)

// mugScene is a shop whose tile is engraved, whose blind takes properties without text fields, and whose
// other products take none.
func mugScene(t *testing.T) *scene {
	s := newScene(t)
	s.shop.Policy.MaxLines = 100
	s.shop.Product(tile).TextFields = []TextField{{"engraving", "Engraving", true, 20}, {"Note-2", "Gift note", false, 5}}
	s.shop.Product(blind).TextFields = []TextField{}
	return s
}

// sentTexts are properties as they are sent: keys and texts in turn.
func sentTexts(texts ...string) *SentProperties {
	all := SentProperties{}
	for i := 0; i < len(texts); i += 2 {
		all = append(all, SentText{Key: texts[i], Text: texts[i+1]})
	}
	return &all
}

// stored are properties as a line has them, in words.
func (p *Properties) stored() string {
	if p == nil {
		return ""
	}
	words := ""
	for _, one := range *p {
		words += fmt.Sprintf(" %s=%q", one.Key, one.Value)
		if one.Label != "" {
			words += " (" + one.Label + ")"
		}
	}
	return strings.TrimSpace(words)
}

// docs/api/lines.md#properties, the rules of a text.
func TestPropertiesOfAnAdd(t *testing.T) {
	long := strings.Repeat("é", 21)
	own := func(n int) []string {
		all := []string{"engraving", "x"}
		for i := range n {
			all = append(all, fmt.Sprintf("_%02d", n-i), "v")
		}
		return all
	}
	const required = `properties.engraving: ["The Engraving field is required."]`
	for _, c := range []struct {
		rule    string
		product uuid.UUID
		sent    *SentProperties
		want    string
		faults  string
	}{
		{"in the order of the text fields, then own keys by name", tile, sentTexts("_b", "2", "Note-2", "hi", "_a", "1", "engraving", "Ada"),
			`engraving="Ada" Note-2="hi" _a="1" _b="2"`, ""},
		{"an optional one may be absent", tile, sentTexts("engraving", "Ada"), `engraving="Ada"`, ""},
		{"trimmed", tile, sentTexts("engraving", "\u200b\u00a0 Ada\r\n\t", "_a", " x "), `engraving="Ada" _a="x"`, ""},
		{"CR LF and CR become LF, and count as one character", tile, sentTexts("engraving", "a\r\nb\rc\nd", "Note-2", "1\r\n2\r3"),
			`engraving="a\nb\nc\nd" Note-2="1\n2\n3"`, ""},
		{"characters, not bytes", tile, sentTexts("engraving", long[2:]), `engraving="` + long[2:] + `"`, ""},
		{"a blank one counts as absent", tile, sentTexts("engraving", "Ada", "Note-2", " \u200b ", "nothing", "", "_a", "\n"), `engraving="Ada"`, ""},
		{"ten own keys", tile, sentTexts(own(10)...), `engraving="x" _01="v" _02="v" _03="v" _04="v" _05="v" _06="v" _07="v" _08="v" _09="v" _10="v"`, ""},
		{"500 characters of an own key", tile, sentTexts("engraving", "x", "_a", strings.Repeat("é", 500)),
			`engraving="x" _a="` + strings.Repeat("é", 500) + `"`, ""},
		{"keys and texts of 4 KiB", tile, sentTexts("engraving", "x", "_a", strings.Repeat("𝄞", 500), "_b", strings.Repeat("𝄞", 500), "_c", strings.Repeat("x", 80)),
			`engraving="x" _a="` + strings.Repeat("𝄞", 500) + `" _b="` + strings.Repeat("𝄞", 500) + `" _c="` + strings.Repeat("x", 80) + `"`, ""},
		{"a product without text fields takes own keys", blind, sentTexts("_a", "1"), `_a="1"`, ""},
		{"none", blind, nil, "", ""},
		{"an empty map", blind, sentTexts(), "", ""},
		{"an empty map where none are taken", cord, sentTexts(), "", ""},
		{"none where none are taken", cord, nil, "", ""},

		{"required, none sent", tile, nil, "", required},
		{"required, an empty map", tile, sentTexts(), "", required},
		{"required, blank", tile, sentTexts("engraving", " \r\n"), "", required},
		{"too long", tile, sentTexts("engraving", long, "Note-2", "123456"), "",
			`properties.engraving: ["The properties.engraving field must not be greater than 20 characters."] properties.Note-2: ["The properties.Note-2 field must not be greater than 5 characters."]`},
		{"an own key's text too long", tile, sentTexts("engraving", "x", "_a", strings.Repeat("x", 501)), "",
			`properties._a: ["The properties._a field must not be greater than 500 characters."]`},
		{"another key", tile, sentTexts("engraving", "x", "Engraving", "x", "_ä", "x", "_"+strings.Repeat("x", 40), "x", "", "x"), "",
			`properties.Engraving: ["This field does not exist."] properties._ä: ["This field does not exist."] properties._` + strings.Repeat("x", 40) +
				`: ["This field does not exist."] properties.: ["This field does not exist."]`},
		{"a key of a field where there are none", blind, sentTexts("engraving", "x"), "", `properties.engraving: ["This field does not exist."]`},
		{"eleven own keys", tile, sentTexts(own(11)...), "", `properties: ["The properties field must not have more than 10 items."]`},
		{"a byte above 4 KiB", tile, sentTexts("engraving", "x", "_a", strings.Repeat("𝄞", 500), "_b", strings.Repeat("𝄞", 500), "_c", strings.Repeat("x", 81)), "",
			`properties: ["The properties field must not be greater than 4096 bytes."]`},
		{"control characters", tile, sentTexts("engraving", "a\tb", "Note-2", "a\u2028b", "_a", "a\x00b", "_b", "a\u0085b", "_c", "a\u2029b", "_d", "a\x7fb"), "",
			`properties.engraving: ["The properties.engraving field must not contain control characters."] properties.Note-2: ["The properties.Note-2 field must not contain control characters."]` +
				` properties._a: ["The properties._a field must not contain control characters."] properties._b: ["The properties._b field must not contain control characters."]` +
				` properties._c: ["The properties._c field must not contain control characters."] properties._d: ["The properties._d field must not contain control characters."]`},
		{"no text", tile, &SentProperties{{Key: "engraving", NoText: true}, {Key: "_a", NoText: true}}, "",
			`properties.engraving: ["The properties.engraving field must be a string."] properties._a: ["The properties._a field must be a string."]`},
		{"a product that takes none", cord, sentTexts("_a", "1"), "", `properties: ["This product takes none."]`},
		{"all faults together", tile, sentTexts("Note-2", "123456", "size", "L"), "",
			required + ` properties.Note-2: ["The properties.Note-2 field must not be greater than 5 characters."] properties.size: ["This field does not exist."]`},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s := mugScene(t)
			add := s.add(c.product, One)
			if c.product == blind {
				add.Configuration = linen
			}
			add.Properties = c.sent
			if c.faults == "" {
				if got := s.do(add).Lines[0].Properties.stored(); got != c.want {
					t.Errorf("got %s; want %s", got, c.want)
				}
				return
			}
			_, _, r := s.try(add)
			if words := inWords(r); !strings.HasSuffix(words, "} "+c.faults) || r.Code != "INVALID_PROPERTIES" || r.Message != r.Fields[0].Texts()[0] {
				t.Errorf("got %s\nwant %s", words, c.faults)
			}
			s.refuse(AddLines{{AddLine: add}}, belowLine(r))
			// The faults of a PATCH have no code, and are the same. A required field is judged as soon as the map is sent.
			s.shop.Product(c.product).TextFields = nil
			add.Properties = nil
			s.do(add)
			s.shop = mugScene(t).shop
			s.in.Store = s.shop
			s.refuse(ChangeLine{LineID: s.cart.Lines[0].ID.String(), Quantity: One, PropertiesSent: true, Properties: c.sent},
				&Refusal{Kind: Invalid, Message: r.Message, Fields: r.Fields})
			s.do(ChangeLine{LineID: s.cart.Lines[0].ID.String(), Quantity: 2 * One})
		})
	}
}

// belowLine is the refusal of a batch whose first entry is refused.
func belowLine(r *Refusal) *Refusal {
	var b batchRefusal
	b.add(0, r)
	return b.refusal()
}

// Properties are judged after the configuration and ahead of price, quantity and limits.
func TestTheOrderInWhichPropertiesAreJudged(t *testing.T) {
	s := mugScene(t)
	bad := sentTexts("colour", "red")
	unconfigured, configured := s.add(blind, 2500), s.add(blind, 2500)
	configured.Configuration = linen
	unconfigured.Properties, configured.Properties = bad, bad
	s.refuse(unconfigured, ConfigurationMissing)
	unknown := FieldError{"properties.colour", saying("This field does not exist.")}
	s.refuse(configured, &Refusal{Kind: Invalid, Message: "This field does not exist.", Code: "INVALID_PROPERTIES", Fields: []FieldError{unknown}})
	none := s.add(bulk, 9500) // no price, a fraction
	none.Properties = bad
	s.refuse(none, TakesNoProperties)
	s.do(s.add(cord, One))
	s.refuse(ChangeLine{LineID: s.cart.Lines[0].ID.String(), Quantity: 1000 * One, PropertiesSent: true, Properties: bad}, TakesNoProperties.Plain())
}

// Random adds, batches, changes and claims end with the lines of a map from texts to quantities.
func TestLinesWithPropertiesMatchTheModel(t *testing.T) {
	r := dice.New(t)
	for range 300 {
		s := mugScene(t)
		unlimited(s.shop)
		s.shop.Product(tile).TextFields[0].Required = false
		s.shop.Product(cord).TextFields = s.shop.Product(tile).TextFields
		s.in.Visitor = ada
		model := map[string]Quantity{}
		for range 1 + r.IntN(12) {
			switch r.IntN(4) {
			case 0:
				l, key := someProperties(s, r)
				s.do(l)
				model[key] += l.Quantity
			case 1:
				var b AddLines
				for i := range 1 + r.IntN(4) {
					l, key := someProperties(s, r)
					l.LineID = testID(0x4000 + 16*int(s.in.Next) + i)
					b, model[key] = append(b, BatchedAdd{AddLine: l}), model[key]+l.Quantity
				}
				s.do(b)
			case 2:
				s.changeSome(r, model)
			case 3:
				o := other(0x100+int(s.in.Next), int(s.in.Next))
				foreign := &scene{T: t, shop: s.shop, cart: o, in: s.in}
				for i := range 1 + r.IntN(4) {
					l, key := someProperties(s, r)
					l.LineID = testID(0x8000 + 16*int(s.in.Next) + i)
					foreign.do(l)
					model[key] += l.Quantity
				}
				s.in.Others = []*Cart{foreign.cart}
				s.do(ClaimCart{})
				s.in.Others = nil
			}
			got := map[string]Quantity{}
			for i := range s.cart.Lines {
				l := &s.cart.Lines[i]
				if _, twice := got[l.key()]; twice {
					t.Fatalf("two lines of %s", l.key())
				}
				got[l.key()] = l.Quantity
			}
			if !maps.Equal(got, model) {
				t.Fatalf("lines %v; want %v", got, model)
			}
		}
	}
}

// key is what makes a line different from others, in words.
func (l *Line) key() string { return l.ProductID.String() + " " + l.Properties.stored() }

// someProperties is an add with some texts, and the key of its line.
func someProperties(s *scene, r *rand.Rand) (AddLine, string) {
	l := s.add([]uuid.UUID{tile, cord}[r.IntN(2)], Quantity(1+r.IntN(5))*One)
	texts, words := []string{}, []string{}
	for _, key := range []string{"engraving", "Note-2", "_a", "_b"} {
		text := []string{"", " ", "x", "y", " x\r\n", "X"}[r.IntN(6)]
		texts = append([]string{key, text}, texts...)
		if stored := strings.TrimSpace(text); stored != "" {
			words = append(words, fmt.Sprintf("%s=%q", key, stored))
		}
	}
	l.Properties = sentTexts(texts...)
	return l, l.ProductID.String() + " " + strings.Join(words, " ")
}

// changeSome changes the texts of a line, which the model refuses if another line has them.
func (s *scene) changeSome(r *rand.Rand, model map[string]Quantity) {
	if len(s.cart.Lines) == 0 {
		return
	}
	line := s.cart.Lines[r.IntN(len(s.cart.Lines))]
	add, _ := someProperties(s, r)
	probe := line
	probe.Properties, _ = add.Properties.For(s.shop.Product(line.ProductID))
	change := ChangeLine{LineID: line.ID.String(), Quantity: add.Quantity, PropertiesSent: true, Properties: add.Properties}
	if _, there := model[probe.key()]; there && probe.key() != line.key() {
		s.refuse(change, LineExists)
		return
	}
	s.do(change)
	delete(model, line.key())
	model[probe.key()] = add.Quantity
}

// A copy leaves a line out if the product no longer takes its texts, and shows them.
func TestCopyJudgesProperties(t *testing.T) {
	s := mugScene(t)
	for _, text := range []string{"Ada", "Bob the builder"} {
		add := s.add(tile, One)
		add.Properties = sentTexts("engraving", text, "_a", "1")
		s.do(add)
	}
	s.shop.Product(tile).TextFields[0].MaxLength = 10
	made, left, r := CopyOfCart(s.cart).Make(testID(0xc3), &s.in)
	if r != nil || len(made.Lines) != 1 || made.Lines[0].Properties.stored() != `engraving="Ada" _a="1"` || len(left) != 1 ||
		left[0].Reason != "INVALID_PROPERTIES" || left[0].Properties.stored() != `engraving="Bob the builder" _a="1"` {
		t.Errorf("%v: lines %+v, left out %+v", r, made, left)
	}
	s.shop.Product(tile).TextFields = nil
	if _, left, _ = CopyOfCart(s.cart).Make(testID(0xc3), &s.in); len(left) != 2 {
		t.Errorf("left out %+v", left)
	}
}

// A checkout does not judge properties again. Orders and quotes keep the labels of the day, and a copy
// of an order takes the texts without them.
func TestSoldLinesKeepTextsAndLabels(t *testing.T) {
	s := mugScene(t)
	add := s.add(tile, One)
	add.Properties = sentTexts("engraving", "Ada", "Note-2", "hi", "_a", "1")
	s.do(add)
	s.shop.Product(tile).TextFields = []TextField{{"engraving", "Text on the mug", true, 2}}
	if r := s.cart.Lines[0].unavailable(s.shop, Pricing{}); r != nil {
		t.Errorf("the line is unavailable: %v", r)
	}
	var e Evaluation
	e.Evaluate(s.cart, s.shop, guest, noon)
	goods := e.goods(s.shop)
	const want = `engraving="Ada" (Text on the mug) Note-2="hi" (Note-2) _a="1"`
	sold := goods.Lines[0].Properties
	if got := sold.stored(); got != want || len(sold.Labelled()) != 2 {
		t.Errorf("sold with %s; want %s", got, want)
	}
	if got := s.cart.Lines[0].Properties.stored(); got != `engraving="Ada" Note-2="hi" _a="1"` {
		t.Errorf("the cart's line has %s", got)
	}
	s.shop.Product(tile).TextFields = mugScene(t).shop.Product(tile).TextFields
	made, left, _ := CopyOfOrder(&Order{Lines: goods.Lines}).Make(testID(0xc3), &s.in)
	if len(left) > 0 || !made.Lines[0].equals(&s.cart.Lines[0]) || made.Lines[0].Properties.stored() != s.cart.Lines[0].Properties.stored() {
		t.Errorf("the copy is %+v, left out %+v", made.Lines, left)
	}
	s.shop.Products = nil
	s.shop.Index()
	if got := e.goods(s.shop).Lines[0].Properties.stored(); got != `engraving="Ada" (engraving) Note-2="hi" (Note-2) _a="1"` {
		t.Errorf("of a product that is gone: %s", got)
	}
}

// A claim moves lines with their texts as they are, and reports those that it drops.
func TestClaimReportsDroppedProperties(t *testing.T) {
	s := mugScene(t)
	s.in.Visitor, s.shop.Policy.MaxLines = ada, 1
	o := other(0xa1, 0, line(0x81, tile, One, 1000), line(0x82, tile, One, 1000))
	o.Lines[0].Properties, o.Lines[1].Properties = &Properties{{Key: "gone", Value: "x"}}, &Properties{{Key: "gone", Value: "y"}}
	s.in.Others = []*Cart{o}
	s.do(ClaimCart{})
	dropped := s.effects.Claim.Report[0].Dropped
	if len(s.cart.Lines) != 1 || s.cart.Lines[0].Properties.stored() != `gone="x"` || len(dropped) != 1 || dropped[0].Properties.stored() != `gone="y"` {
		t.Errorf("lines %+v, dropped %+v", s.cart.Lines, dropped)
	}
}

// bulkTile is a product of the shop without text fields.
func bulkTile(s *scene) uuid.UUID {
	for _, p := range s.shop.Products {
		if p.TextFields == nil && p.Capability == Standard && p.Active && len(p.Variants) == 0 {
			return p.ID
		}
	}
	panic("no such product")
}

// The texts of Properties are shared by all states of a cart: no change of another line touches them.
func TestPropertiesAreNotChanged(t *testing.T) {
	s := mugScene(t)
	add := s.add(tile, One)
	add.Properties = sentTexts("engraving", "Ada")
	s.do(add)
	before, _ := json.Marshal(s.cart)
	kept := s.cart
	s.do(ChangeLine{LineID: s.cart.Lines[0].ID.String(), Quantity: One, PropertiesSent: true, Properties: sentTexts("engraving", "Bob")})
	if after, _ := json.Marshal(kept); string(after) != string(before) {
		t.Errorf("the earlier state became %s", after)
	}
}

// An erasure may have made lines equal: a change that sends what a line has is none.
func TestAChangeOfEqualLines(t *testing.T) {
	s := mugScene(t)
	s.shop.Product(tile).TextFields[0].Required = false
	for _, text := range []string{"Ada", "Bob"} {
		add := s.add(tile, One)
		add.Properties = sentTexts("engraving", text)
		s.do(add)
	}
	s.cart.Lines[0].Properties, s.cart.Lines[1].Properties = nil, nil
	s.do(ChangeLine{LineID: s.cart.Lines[1].ID.String(), Quantity: One, PropertiesSent: true, Properties: sentTexts("engraving", "")})
}
