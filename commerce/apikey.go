package commerce

import (
	"crypto/sha256"
	"slices"
)

// APIKey is one key of a store, stored only as its hash. Spec: API key.
type APIKey struct {
	Name    string
	Hash    KeyHash
	Scopes  Scopes
	Revoked bool
	// NoClientLimit exempts its requests from Limits.PerClient: it is the key of a merchant's own server.
	NoClientLimit bool
}

// serverScopes are those of keys that stand in no browser: the merchant's, and that of its stock.
var serverScopes = merchantScopes.With(CatalogWrite)

// InBrowser reports whether the key may stand in a browser: it opens only what every visitor may do.
// docs/api/keys.md#what-may-stand-in-a-browser
func (k *APIKey) InBrowser() bool { return k != nil && !k.Scopes.Meets(serverScopes) }

// KeyHash is the SHA-256 of a key's or a token's clear text.
type KeyHash [sha256.Size]byte

// HashSecret returns the hash that a key or token is stored under.
func HashSecret(secret []byte) KeyHash { return sha256.Sum256(secret) }

// Scope is one ability of an API key. Spec: Scopes named.
type Scope uint8

const (
	CommerceRead Scope = iota
	CommerceWrite
	ContactsRead
	ContactsWrite
	CatalogRead
	CatalogWrite
	SalesRead
	SalesWrite
	CustomersRead
	CustomersWrite
	// OrdersRead and OrdersWrite are for the merchant's own systems; no other scope grants them.
	OrdersRead
	OrdersWrite
	// CatalogManage changes the store's document over HTTP. It is for the merchant's own systems; no
	// other scope grants it.
	CatalogManage
	// ContactsManage makes accounts and their tokens, for a merchant's server that knows who a shopper
	// is. No other scope grants it.
	ContactsManage
	// SalesManage writes quotes and approves businesses, StoreRead reads what the merchant asks about. No other
	// scope grants them.
	SalesManage
	StoreRead
	scopeCount
)

var scopeNames = [scopeCount]string{
	"commerce:read", "commerce:write", "contacts:read", "contacts:write", "catalog:read",
	"catalog:write", "sales:read", "sales:write", "customers:read", "customers:write",
	"orders:read", "orders:write", "catalog:manage",
	"contacts:manage", "sales:manage", "store:read",
}

// String returns the scope's name.
func (s Scope) String() string { return scopeNames[s] }

// ParseScope finds a scope by its name.
func ParseScope(name string) (Scope, bool) { return parseName[Scope](scopeNames[:], name) }

// Scopes is a set of scopes.
type Scopes = Set[Scope]

// alsoAccepted has the second scope that grants the same: customers:* for contacts:*.
// Spec: Scopes named.
var alsoAccepted = map[Scope]Scope{ContactsRead: CustomersRead, ContactsWrite: CustomersWrite}

// AnyOf is the set of scopes of which a request needs one: the given ones and those that grant the
// same.
func AnyOf(scopes ...Scope) (set Scopes) {
	for _, scope := range scopes {
		set = set.With(scope)
		if other, is := alsoAccepted[scope]; is {
			set = set.With(other)
		}
	}
	return set
}

// AllScopes is the set of all scopes.
func AllScopes() Scopes { return 1<<scopeCount - 1 }

// Set is a set of scopes, of modules or of languages.
type Set[T interface {
	~uint8
	String() string
}] uint32

// Has reports whether the set has a member.
func (s Set[T]) Has(member T) bool { return s&(1<<member) != 0 }

// With returns the set with a member added.
func (s Set[T]) With(member T) Set[T] { return s | 1<<member }

// Meets reports whether the set has any member of want; an empty want is always met.
func (s Set[T]) Meets(want Set[T]) bool { return want == 0 || s&want != 0 }

// Names lists the members in their fixed order.
func (s Set[T]) Names() []string {
	names := []string{}
	for member := range T(32) {
		if s.Has(member) {
			names = append(names, member.String())
		}
	}
	return names
}

// parseName finds a member by its name.
func parseName[T ~uint8](names []string, name string) (T, bool) {
	i := slices.Index(names, name)
	return T(max(i, 0)), i >= 0
}
