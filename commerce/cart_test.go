package commerce

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/uuid"
)

// Spec: Carts, PATCH body; Setting email, when the customers module is active, …
func TestPatchCartBindsTheEmail(t *testing.T) {
	const address = "ada@example.com"
	guestID := testShop().GuestID(address)
	account, other := Binding{ID: ada.CustomerID}, Binding{ID: testID(0xbad)}
	captured := Binding{ID: guestID, Guest: true}
	for _, c := range []struct {
		rule      string
		before    Binding
		visitor   Visitor
		customers bool // the module
		patch     PatchCart
		want      Binding
		wantGuest bool
	}{
		{"no token: the guest of the address", Binding{}, guest, true, PatchCart{Email: ptr(address)}, captured, true},
		{"bad token: the guest of the address", Binding{}, badToken, true, PatchCart{Email: ptr(address)}, captured, true},
		{"token: its account, for any address", Binding{}, ada, true, PatchCart{Email: ptr("else@example.com")}, account, false},
		{"token: its account in the guest's place", captured, ada, true, PatchCart{Email: ptr(address)}, account, false},
		{"another address: another guest", Binding{ID: testID(3), Guest: true}, guest, true, PatchCart{Email: ptr(address)}, captured, true},
		{"bound to the account already", account, ada, true, PatchCart{Email: ptr(address)}, account, false},
		{"without an e-mail a token binds nothing", Binding{}, ada, true, PatchCart{MetadataSent: true}, Binding{}, false},
		{"without an e-mail the guest stays", captured, guest, true, PatchCart{}, captured, false},
		{"customers module off: binds nothing", Binding{}, ada, false, PatchCart{Email: ptr(address)}, Binding{}, false},
		{"customers module off: no guest either", Binding{}, guest, false, PatchCart{Email: ptr(address)}, Binding{}, false},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s := newScene(t)
			s.cart.Customer, s.in.Visitor = c.before, c.visitor
			if !c.customers {
				s.shop.Modules &^= 1 << ModuleCustomers
			}
			s.do(c.patch)
			if s.cart.Customer != c.want {
				t.Errorf("bound to %+v; want %+v", s.cart.Customer, c.want)
			}
			var wantGuest *Guest
			if c.wantGuest {
				wantGuest = &Guest{ID: guestID, Email: address, At: s.in.Now}
			}
			if !reflect.DeepEqual(s.effects.Guest, wantGuest) {
				t.Errorf("guest to create %+v; want %+v", s.effects.Guest, wantGuest)
			}
			if c.patch.Email != nil && s.cart.Email != *c.patch.Email {
				t.Errorf("email %q; want %q", s.cart.Email, *c.patch.Email)
			}
		})
	}
	t.Run("an account's cart is not bound to a guest", func(t *testing.T) {
		s := newScene(t)
		s.cart.Customer = other
		if bind(s.cart, &s.in); s.cart.Customer != other {
			t.Errorf("bound to %+v; want %+v", s.cart.Customer, other)
		}
	})
}

func TestEachAddressOfAStoreHasOneGuestID(t *testing.T) {
	s, other := testShop(), testShop()
	other.Secret[0]++
	id := s.GuestID("ada@example.com")
	if id != s.GuestID("ada@example.com") {
		t.Error("the same address gave two ids")
	}
	if id == s.GuestID("bob@example.com") || id == other.GuestID("ada@example.com") {
		t.Error("another address or store gave the same id")
	}
	if id.Version() != 8 || id.Variant() != uuid.RFC4122 {
		t.Errorf("%s is of version %d, variant %s", id, id.Version(), id.Variant())
	}
}

// Spec: Carts, PATCH body: omitting a field leaves it unchanged, null clears it.
func TestPatchCartReplacesTheWholeMetadata(t *testing.T) {
	old := Metadata{{"a", Scalar{true, "x"}}, {"b", Scalar{false, "1.50"}}}
	for _, c := range []struct {
		rule  string
		patch PatchCart
		want  Metadata
	}{
		{"absent leaves it", PatchCart{Email: ptr("a@b")}, old},
		{"an empty PATCH leaves it", PatchCart{}, old},
		{"null clears it", PatchCart{MetadataSent: true}, nil},
		{"a map replaces it", PatchCart{MetadataSent: true, Metadata: Metadata{{"c", Scalar{false, "1e2"}}}}, Metadata{{"c", Scalar{false, "1e2"}}}},
		{"the empty map replaces it", PatchCart{MetadataSent: true, Metadata: Metadata{}}, Metadata{}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s := newScene(t)
			s.cart.Metadata, s.cart.Email = old, "before@b"
			s.do(c.patch)
			if !reflect.DeepEqual(s.cart.Metadata, c.want) {
				t.Errorf("metadata %#v; want %#v", s.cart.Metadata, c.want)
			}
			if c.patch.Email == nil && s.cart.Email != "before@b" {
				t.Errorf("email %q; want it unchanged", s.cart.Email)
			}
		})
	}
}

// fillTexts sets every text below a value to ten bytes, with two elements in each list, and returns
// the number of texts.
func fillTexts(v reflect.Value) (texts int) {
	switch v.Kind() {
	case reflect.String:
		v.SetString("ten bytes!")
		return 1
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			texts += fillTexts(v.Index(i))
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return fillTexts(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				texts += fillTexts(v.Field(i))
			}
		}
	}
	return texts
}

// A new text of a cart or a line that Size omits fails this test.
func TestTheSizeOfACartCountsEveryText(t *testing.T) {
	var c Cart
	texts := fillTexts(reflect.ValueOf(&c).Elem())
	empty := sizeOfFields + sizeOfCheckout + 8*sizeOfEntry + 2*(sizeOfLine+sizeOfConfiguration+10*sizeOfEntry)
	if got, want := c.Size(), empty+10*texts; got != want || texts < 20 {
		t.Errorf("a cart with %d texts has a size of %d; want %d", texts, got, want)
	}
}

func TestCartFits(t *testing.T) {
	sized := func(size int) *Cart {
		c := &Cart{Lines: []Line{{}}}
		c.Lines[0].Name = strings.Repeat("x", size-c.Size())
		return c
	}
	const limit = maxCartBytes
	for _, c := range []struct {
		before, next int
		want         bool
	}{
		{1000, limit, true},
		{1000, limit + 1, false},
		{limit, limit, true},
		{limit, limit + 1, false},
		{limit + 2, limit + 1, true},
		{limit + 1, limit + 1, true},
		{limit + 1, limit + 2, false},
	} {
		if got := sized(c.next).outgrown(sized(c.before)) == 0; got != c.want {
			t.Errorf("from %d to %d bytes: %v, want %v", c.before, c.next, got, c.want)
		}
	}
	if (&Cart{Hold: Hold{Asks: make([]StockAsk, MaxCartItems+1)}}).outgrown(sized(1000)) != MaxCartItems {
		t.Error("a cart with too many stock items fits")
	}
}

// wordy is an add whose properties have so many bytes, keys included, and differ from those of other numbers.
func wordy(s *scene, n, bytes int) AddLine {
	texts := []string{"engraving", fmt.Sprintf("%05d", n)}
	left := bytes - len("engraving") - 5
	for i := 0; left > 0; i++ {
		size := min(left-2, MaxPropertyLength)
		if left-2-size > 0 && left-2-size < 3 { // the next key needs a text
			size -= 3
		}
		texts = append(texts, fmt.Sprintf("_%d", i), strings.Repeat("x", size))
		left -= size + 2
	}
	add := s.add(tile, One)
	add.Properties = sentTexts(texts...)
	return add
}

// The texts of a cart's lines have at most 64 KiB together, keys included: docs/api/lines.md#properties. Every way
// to more is refused; a claim drops such a line.
func TestTextsOfACartAreBounded(t *testing.T) {
	full := func(t *testing.T) *scene {
		s := mugScene(t)
		for i := range 16 {
			s.do(wordy(s, i, MaxPropertiesBytes))
		}
		if got := s.cart.texts(); got != MaxCartTexts {
			t.Fatalf("a full cart has %d bytes of texts", got)
		}
		return s
	}
	plain := func(s *scene) AddLine {
		add := s.add(tile, One)
		add.Properties = sentTexts("engraving", "A")
		return add
	}
	noText := func(s *scene) AddLine {
		s.shop.Product(tile).TextFields = nil
		add := s.add(tile, One)
		add.Properties = nil
		return add
	}
	t.Run("an add", func(t *testing.T) {
		s := full(t)
		s.refuse(plain(s), CartTooLarge)
		s.do(wordy(s, 3, MaxPropertiesBytes)) // raises a line
		s.do(noText(s))
		s.do(RemoveLine{LineID: s.cart.Lines[0].ID.String()})
	})
	t.Run("a batch", func(t *testing.T) {
		s := mugScene(t)
		var batch AddLines
		for i := range 16 {
			batch = append(batch, BatchedAdd{AddLine: wordy(s, i, MaxPropertiesBytes)})
		}
		s.refuse(append(batch[:16:16], BatchedAdd{AddLine: plain(s)}), CartTooLarge)
		s.do(batch)
	})
	t.Run("a PATCH of a line", func(t *testing.T) {
		s := mugScene(t)
		for i := range 15 {
			s.do(wordy(s, i, MaxPropertiesBytes))
		}
		s.do(wordy(s, 15, MaxPropertiesBytes-1))
		change := func(bytes int) ChangeLine {
			return ChangeLine{LineID: s.cart.Lines[15].ID.String(), Quantity: One, PropertiesSent: true, Properties: wordy(s, 16, bytes).Properties}
		}
		s.do(change(MaxPropertiesBytes))
		s.cart.Lines = append(s.cart.Lines, s.cart.Lines[0])
		s.cart.Lines[16].ID = testID(0x99)
		s.cart.Lines[16].Properties = &Properties{{Key: "engraving", Value: "A"}} // beyond the bound
		s.do(ChangeLine{LineID: s.cart.Lines[15].ID.String(), Quantity: 2 * One}) // it may stay
		s.do(change(MaxPropertiesBytes - 1))                                      // and become smaller
		s.refuse(change(MaxPropertiesBytes), CartTooLarge)
	})
	t.Run("a copy", func(t *testing.T) {
		s := full(t)
		if _, left, r := CopyOfCart(s.cart).Make(testID(0x77), &s.in); r != nil || left != nil {
			t.Errorf("of a cart with as many: %v, left out %v", r, left)
		}
		more := *s.cart
		more.Lines = append(more.Lines[:16:16], more.Lines[0])
		more.Lines[16].ID, more.Lines[16].Properties = testID(0x99), &Properties{{Key: "engraving", Value: "A"}}
		order := &Order{Lines: make([]OrderLine, 17)}
		for i := range more.Lines {
			order.Lines[i].Line = more.Lines[i]
		}
		for name, c := range map[string]*CartCopy{"a cart": CopyOfCart(&more), "an order": CopyOfOrder(order)} {
			if _, _, r := c.Make(testID(0x77), &s.in); inWords(r) != inWords(CartTooLarge) {
				t.Errorf("of %s with more: %v", name, r)
			}
		}
	})
	t.Run("a claim", func(t *testing.T) {
		s := mugScene(t)
		s.in.Visitor = ada
		for i := range 15 {
			s.do(wordy(s, i, MaxPropertiesBytes))
		}
		three := mugScene(t)
		three.do(wordy(three, 0, MaxPropertiesBytes)) // joins a line
		three.do(wordy(three, 20, MaxPropertiesBytes))
		three.do(wordy(three, 21, 100))
		o := other(0xa1, 0, three.cart.Lines...)
		o.Lines = append(o.Lines, line(0x81, bulkTile(s), One, 1000)) // without texts
		s.in.Others = []*Cart{o}
		s.do(ClaimCart{})
		report := s.effects.Claim.Report[0]
		if report.Moved != 2 || report.Summed != 1 || len(report.Dropped) != 1 || report.Dropped[0].Properties.bytes() != 100 || s.cart.texts() != MaxCartTexts {
			t.Errorf("%+v with %d bytes", report, s.cart.texts())
		}
	})
	t.Run("the price of a basket", func(t *testing.T) {
		s := mugScene(t)
		var b Basket
		for i := range 16 {
			b.Lines = append(b.Lines, BatchedAdd{AddLine: wordy(s, i, MaxPropertiesBytes)})
		}
		b.Lines = append(b.Lines, BatchedAdd{AddLine: plain(s)})
		rows := b.Price(new(Evaluation), s.shop, Visitor{}, nil, s.in.Now).Rows
		for i, row := range rows {
			if got := inWords(row.Refused) == inWords(CartTooLarge); got != (i == 16) {
				t.Errorf("row %d: %v", i, row.Refused)
			}
		}
	})
	t.Run("a cart beyond the bound can be bought", func(t *testing.T) {
		s := full(t)
		s.cart.Lines = append(s.cart.Lines, s.cart.Lines[0])
		s.cart.Lines[16].ID, s.cart.Lines[16].Properties = testID(0x99), &Properties{{Key: "engraving", Value: "A"}}
		s.do(DetachCode{})
		s.do(RemoveLine{LineID: testID(0x99).String()})
	})
}
