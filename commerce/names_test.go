package commerce

import (
	"fmt"
	"slices"
	"testing"
)

// Every name of the API and of the store document, in the order of its type.
func TestNames(t *testing.T) {
	for _, c := range []struct {
		of    string
		names []string
		want  []string
	}{
		{"module", spell(moduleCount), []string{"catalog", "commerce", "configurator", "sales", "stock", "objects", "customers"}},
		{"unit", spell(unitCount), []string{"piece", "kg", "g", "l", "m", "m2", "m3", "hour"}},
		{"scope", spell(scopeCount), []string{"commerce:read", "commerce:write", "contacts:read", "contacts:write", "catalog:read", "catalog:write", "sales:read",
			"sales:write", "customers:read", "customers:write", "orders:read", "orders:write", "catalog:manage", "contacts:manage",
			"sales:manage", "store:read"}},
		{"cart status", spell(CartMerged + 1), []string{"active", "converted", "merged"}},
		{"capability", spell(MadeToMeasure + 1), []string{"standard", "made_to_measure"}},
		{"purchasability", spell(ByQuote + 1), []string{"direct", "quote"}},
		{"order status", OrderStatusNames(), []string{"placed", "cancelled", "completed"}},
		{"payment status", PaymentStatusNames(), []string{"not_required", "due", "paid", "partially_refunded", "refunded"}},
		{"discount kind", DiscountKindNames(), []string{"order", "products", "shipping", "bogo"}},
	} {
		if !slices.Equal(c.names, c.want) {
			t.Errorf("%s: %v; want %v", c.of, c.names, c.want)
		}
	}
}

// spell lists the names of an enumeration's values below end.
func spell[E interface {
	~uint8
	fmt.Stringer
}](end E) (names []string) {
	for v := E(0); v < end; v++ {
		names = append(names, v.String())
	}
	return names
}

func TestNamesParseBack(t *testing.T) {
	for m := Module(0); m < moduleCount; m++ {
		if got, ok := ParseModule(m.String()); got != m || !ok {
			t.Errorf("ParseModule(%q) = %v, %v", m, got, ok)
		}
	}
	for s := Scope(0); s < scopeCount; s++ {
		if got, ok := ParseScope(s.String()); got != s || !ok {
			t.Errorf("ParseScope(%q) = %v, %v", s, got, ok)
		}
	}
	for i, name := range OrderStatusNames() {
		if got, ok := ParseOrderStatus(name); got != OrderStatus(i) || !ok {
			t.Errorf("ParseOrderStatus(%q) = %v, %v", name, got, ok)
		}
	}
	for i, name := range PaymentStatusNames() {
		if got, ok := ParsePaymentStatus(name); got != PaymentStatus(i) || !ok {
			t.Errorf("ParsePaymentStatus(%q) = %v, %v", name, got, ok)
		}
	}
	for _, name := range []string{"", "Sales", "none", "shipped"} {
		_, module := ParseModule(name)
		_, scope := ParseScope(name)
		_, order := ParseOrderStatus(name)
		if module || scope || order {
			t.Errorf("%q: module %v, scope %v, order %v; want none", name, module, scope, order)
		}
	}
}

func TestSets(t *testing.T) {
	modules := Modules(0).With(ModuleCustomers).With(ModuleCatalog)
	if got := modules.Names(); !slices.Equal(got, []string{"catalog", "customers"}) || modules.Has(ModuleSales) {
		t.Errorf("modules %v, sales %v", got, modules.Has(ModuleSales))
	}
	scopes := Scopes(0).With(CustomersWrite).With(CommerceRead)
	if got := scopes.Names(); !slices.Equal(got, []string{"commerce:read", "customers:write"}) || scopes.Has(CommerceWrite) {
		t.Errorf("scopes %v, commerce:write %v", got, scopes.Has(CommerceWrite))
	}
	for _, c := range []struct {
		want Scopes
		met  bool
	}{
		{0, true},
		{Scopes(0).With(CommerceRead), true},
		{Scopes(0).With(SalesRead).With(CommerceRead), true},
		{Scopes(0).With(SalesRead), false},
	} {
		if got := scopes.Meets(c.want); got != c.met {
			t.Errorf("%v meet %v: %v; want %v", scopes.Names(), c.want.Names(), got, c.met)
		}
	}
}

// Spec: API key. The expected hash is sha256sum's.
func TestHashSecret(t *testing.T) {
	const want = "64084db3581b61a39984249dbe669dfb1233118846168bab3408cbe203ffa8de"
	if got := fmt.Sprintf("%x", HashSecret([]byte("demo-storefront-key"))); got != want {
		t.Errorf("got %s; want %s", got, want)
	}
}
