package model

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/uuid"
)

func someID(n byte) uuid.UUID { return uuid.UUID{15: n} }

func TestParseBook(t *testing.T) {
	yes, no := true, false
	var book State = Book{}
	for i, kind := range []int{0, 1, 0} {
		r := Request{Args: addressArgs{name: string(rune('a' + i)), kind: &addressTypes[kind], isDefault: []*bool{&yes, &no, &yes}[i]}}
		book, _ = add(book, r)
	}
	seen := Book{Addresses: []Address{{someID(1), "a", "shipping", false}, {someID(2), "b", "billing", false}, {someID(3), "c", "shipping", true}}}
	known, ok := book.Shows(seen)
	if !ok || known.(Book).Addresses[0].ID != someID(1) {
		t.Fatalf("%v is not shown by %v: %v", book, seen, known)
	}
	for name, wrong := range map[string]Book{
		"without one":        {Addresses: seen.Addresses[:2]},
		"with another id":    {Addresses: []Address{seen.Addresses[0], seen.Addresses[1], {someID(9), "c", "shipping", true}}},
		"with another type":  {One: true, Addresses: []Address{{someID(2), "b", "work", false}}},
		"with two defaults":  {One: true, Addresses: []Address{{someID(1), "a", "shipping", true}}},
		"with a stranger":    {One: true, Addresses: []Address{{someID(4), "d", "work", false}}},
		"with one twice":     {Addresses: append([]Address{seen.Addresses[0]}, seen.Addresses...)},
		"one of another id":  {One: true, Addresses: []Address{{someID(9), "b", "billing", false}}},
		"none, and not none": {},
	} {
		if _, ok := known.Shows(wrong); ok {
			t.Errorf("%v is shown by an answer %s: %v", known, name, wrong)
		}
	}
	if _, ok := known.Shows(Book{One: true, Addresses: seen.Addresses[1:2]}); !ok {
		t.Error("one of its addresses does not stand for the book")
	}
}

func TestBookSame(t *testing.T) {
	a, b, changed := Address{Name: "a"}, Address{Name: "b"}, Address{Name: "a", Default: true}
	whole, one := func(all ...Address) Book { return Book{Addresses: all} }, func(x Address) Book { return Book{One: true, Addresses: []Address{x}} }
	for _, c := range []struct {
		first, second Book
		same          bool
	}{
		{whole(), whole(), true}, {whole(a, b), whole(a, b), true}, {whole(a, b), whole(b, a), false}, {whole(a), whole(), false},
		{whole(a, b), one(b), true}, {whole(b), one(a), false}, {whole(a), one(changed), false},
		{one(a), one(a), true}, {one(a), one(b), true}, {one(a), one(changed), false},
	} {
		if c.first.Same(c.second) != c.same || c.second.Same(c.first) != c.same {
			t.Errorf("%v and %v: want %v", c.first, c.second, c.same)
		}
	}
}

func TestParseBookFindsEachFault(t *testing.T) {
	address := func(name, isDefault string) string {
		return `{"id":"00000000-0000-4000-8000-000000000001","type":"work","is_default":` + isDefault + `,"name":"` + name + `"}`
	}
	for body, want := range map[string]string{
		`{"data":[` + address("a", "true") + `,` + address("b", "true") + `]}`:  "both the default",
		`{"data":[` + address("a", "true") + `,` + address("a", "false") + `]}`: "there twice",
		`{"data":[` + address("a", "false") + `,` + address("b", "true") + `]}`: "follows an address that is no default",
		`{"data":7}`: "no addresses", `{`: "not an envelope",
	} {
		if _, _, err := parseBook([]byte(body)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", body, err, want)
		}
	}
	id, one, err := parseBook([]byte(`{"data":` + address("a", "true") + `}`))
	if err != nil || id != "00000000-0000-4000-8000-000000000001" || !one.(Book).One {
		t.Errorf("one address: %s, %v, %v", id, one, err)
	}
	if id, none, err := parseBook(nil); id != "" || none != nil || err != nil {
		t.Errorf("a removal: %s, %v, %v", id, none, err)
	}
}

func twoDefaults(b Book) bool {
	count := map[string]int{}
	for _, a := range b.Addresses {
		if a.Default {
			count[a.Type]++
		}
	}
	return count["shipping"] > 1 || count["billing"] > 1 || count["work"] > 1
}

// The commands never give a book two defaults of a type.
func TestCommandsKeepOneDefaultOfAType(t *testing.T) {
	dice := rand.New(rand.NewPCG(1, 2))
	var book State = Book{}
	for range 2000 {
		c := Books.Choose(dice)
		r, ok := c.Make(dice, book)
		if !ok {
			continue
		}
		next, ok := c.Apply(book, r)
		if !ok || twoDefaults(next.(Book)) {
			t.Fatalf("%s on %v: %v, %v", c.Name, book, ok, next)
		}
		book = next
		for i := range book.(Book).Addresses {
			book.(Book).Addresses[i].ID = someID(1)
		}
	}
	gone := Request{Args: addressArgs{name: "x"}}
	if _, ok := removeAddress.Apply(book, gone); ok || !removeAddress.Refuses(book, gone, 404) || removeAddress.Refuses(book, gone, 422) {
		t.Error("an address that is not there is removed, or not refused with 404")
	}
}
