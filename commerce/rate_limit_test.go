package commerce

import (
	"slices"
	"testing"
)

// docs/api/limits.md#limits: the merchant's own requests.
func TestMerchantsKeysGoBeyondTheLimit(t *testing.T) {
	for scope := range scopeCount {
		key := &APIKey{Scopes: Scopes(0).With(scope).With(CommerceRead)}
		merchant := slices.Contains([]Scope{OrdersRead, OrdersWrite, CatalogManage, ContactsManage, SalesManage, StoreRead}, scope)
		for limit, quarter := range map[int]int{120: 30, 1: 0, 3: 0, 4: 1, 7: 1, 2_000_000_000: 500_000_000} {
			want := 0
			if merchant {
				want = quarter
			}
			if got := key.Beyond(limit); got != want {
				t.Errorf("%v: %d beyond a limit of %d, want %d", scope, got, limit, want)
			}
		}
	}
	for _, key := range []*APIKey{nil, {}, {Scopes: AllScopes(), Revoked: true}} {
		if got := key.Beyond(120); got != 0 {
			t.Errorf("%+v: %d beyond the limit, want 0", key, got)
		}
	}
}

// docs/api/limits.md#budgets-inside-a-store: at most half of the limit is reserved; the merchant does not yield.
func TestReservedForCarts(t *testing.T) {
	visitor, merchant := &APIKey{Scopes: AnyOf(CatalogRead)}, &APIKey{Scopes: AnyOf(CatalogRead, OrdersRead)}
	for _, c := range []struct{ reserved, limit, want int }{
		{0, 120, 0}, {40, 120, -40}, {60, 120, -60}, {61, 120, -60}, {2_000_000_000, 121, -60}, {5, 1, 0}, {1, 2, -1}, {1, 2_000_000_000, -1},
	} {
		l := Limits{ReservedForCarts: c.reserved}
		if got := l.Beyond(visitor, c.limit, true); got != c.want || l.Beyond(nil, c.limit, true) != c.want {
			t.Errorf("%+v: a visitor's read goes %d beyond the limit", c, got)
		}
		if got := l.Beyond(visitor, c.limit, false); got != 0 {
			t.Errorf("%+v: a visitor's cart goes %d beyond the limit", c, got)
		}
		for _, yields := range []bool{true, false} {
			if got := l.Beyond(merchant, c.limit, yields); got != c.limit/4 {
				t.Errorf("%+v: the merchant goes %d beyond the limit", c, got)
			}
		}
	}
}

// A key without the limit, an unknown one and a suspended store have none.
func TestClientLimit(t *testing.T) {
	s := &Store{Limits: Limits{PerClient: 90}}
	for _, c := range []struct {
		key       *APIKey
		suspended bool
		want      int
	}{{&APIKey{}, false, 90}, {&APIKey{Scopes: AllScopes()}, false, 90}, {&APIKey{NoClientLimit: true}, false, 0}, {nil, false, 0}, {&APIKey{}, true, 0}} {
		s.Suspended = c.suspended
		if got := s.ClientLimit(c.key); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}

// docs/api/keys.md#what-may-stand-in-a-browser
func TestKeysInBrowsers(t *testing.T) {
	for scope := range scopeCount {
		never := slices.Contains([]Scope{CatalogWrite, OrdersRead, OrdersWrite, CatalogManage, ContactsManage, SalesManage, StoreRead}, scope)
		if got := (&APIKey{Scopes: Scopes(0).With(CommerceRead).With(scope)}).InBrowser(); got == never {
			t.Errorf("%v may stand in a browser: %v", scope, got)
		}
	}
	if (*APIKey)(nil).InBrowser() {
		t.Error("no key stands in a browser")
	}
}
