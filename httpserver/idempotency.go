package httpserver

import (
	"crypto/sha256"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
)

// idempotency reads the Idempotency-Key of a write, or returns nil if none was sent. scope is the
// record in the path, or storeScope. A fault of the key is judged with the body.
func (x *exchange) idempotency(scope ...uuid.UUID) (*engine.IdempotencyKey, *commerce.Refusal) {
	sent := &x.sent.idempotencyKey
	switch {
	case sent.lines == 0:
		return nil, nil
	case !x.validKey():
		return nil, commerce.IdempotencyKeyInvalid
	}
	return &engine.IdempotencyKey{
		Name:    hash(sent.first, scope...),
		Request: x.requestHash(),
		Status:  x.route.status,
	}, nil
}

// storeScope is the scope of a write without a record in its path: the store, the route and the API
// key. So keys of a storefront and of a back office never meet. docs/decisions.md#errors.
func (x *exchange) storeScope() []uuid.UUID {
	named := sha256.Sum256([]byte(x.route.method + " " + x.route.path + "\n" + string(x.request.KeyHash[:])))
	return []uuid.UUID{x.facts.Store.ID, uuid.UUID(named[:16])}
}

// validKey reports whether the request has no Idempotency-Key, or one valid one.
func (x *exchange) validKey() bool {
	sent := &x.sent.idempotencyKey
	return sent.lines == 0 || sent.lines == 1 && engine.ValidIdempotencyKey(sent.first, x.route.creates())
}

// requestHash returns the hash of method, route, values of the path and body. Every spelling of an id has
// the same hash.
func (x *exchange) requestHash() [16]byte {
	h := sha256.New()
	h.Write([]byte(x.route.method + " " + x.route.path + "\n"))
	for _, v := range x.values {
		value := x.decodedParam(v.name)
		if id, ok := commerce.ParseID(value); ok {
			value = id.String()
		}
		h.Write([]byte(value + "\n"))
	}
	h.Write(x.in.Bytes)
	return [16]byte(h.Sum(nil))
}

func hash(key []byte, scope ...uuid.UUID) [16]byte {
	h := sha256.New()
	for _, id := range scope {
		h.Write(id[:])
	}
	h.Write([]byte{0}) // no key begins with 0: the scope cannot run into the key
	h.Write(key)
	return [16]byte(h.Sum(nil))
}
