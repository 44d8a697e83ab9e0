package commerce

import "testing"

// docs/api/limits.md#limits: the merchant's own requests.
func TestMerchantsKeysGoBeyondTheLimit(t *testing.T) {
	for scope := range scopeCount {
		key := &APIKey{Scopes: Scopes(0).With(scope).With(CommerceRead)}
		merchant := scope == OrdersRead || scope == OrdersWrite || scope == CatalogManage
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

// docs/api/keys.md#what-may-stand-in-a-browser
func TestKeysInBrowsers(t *testing.T) {
	for scope := range scopeCount {
		never := scope == CatalogWrite || scope == CatalogManage || scope == OrdersRead || scope == OrdersWrite || scope == ContactsManage
		if got := (&APIKey{Scopes: Scopes(0).With(CommerceRead).With(scope)}).InBrowser(); got == never {
			t.Errorf("%v may stand in a browser: %v", scope, got)
		}
	}
	if (*APIKey)(nil).InBrowser() {
		t.Error("no key stands in a browser")
	}
}
