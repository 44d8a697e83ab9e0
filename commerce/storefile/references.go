package storefile

import (
	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/openapi"
)

// register has the keys of one kind that must be unique in a document, each with the offset of its
// first value. The zero value is ready for use.
type register[K comparable] struct {
	at map[K]int
	// stored reports whether an entry that stays beside a change set has a key, and path returns its path. nil for a document that is
	// read as a whole.
	stored func(key K) bool
	path   func(key K) string
}

func (g *register[K]) has(key K) bool {
	_, ok := g.at[key]
	return ok || g.stored != nil && g.stored(key)
}

// note adds a key with the offset of its value.
func (g *register[K]) note(key K, at int) {
	if g.at == nil {
		g.at = map[K]int{}
	}
	g.at[key] = at
}

// first adds a key, or returns false if the register already has it.
func (g *register[K]) first(key K) bool {
	if g.has(key) {
		return false
	}
	g.note(key, 0)
	return true
}

// unique adds the key of the field f. A key that the register already has is a fault.
func (g *register[K]) unique(f value, key K) {
	at := f.raw.Offset(f.d.root)
	first, known := g.at[key]
	switch {
	case f.d.again && known: // the entries that have it were judged
	case known:
		f.d.add(found{at: at, kind: ofContent, message: "is a duplicate of", other: first})
	case !f.d.again && g.stored != nil && g.stored(key):
		f.d.add(found{at: at, kind: ofContent, message: "is a duplicate of " + g.path(key)})
	default:
		g.note(key, at)
	}
}

// anID is the kind of ids.
var anID = judged(openapi.Text.About(aUUID).
	Pattern(`^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$`, `[1-9A-Fa-f]`).Definition("uuid"), func(f value) uuid.UUID {
	id, _ := f.id()
	return id
})

// uniqueID is the kind of ids that are unique in a register of the document.
func uniqueID(in func(d *document) *register[uuid.UUID]) kind[uuid.UUID] {
	return marked(unlessZero(unique(anID, in)), identity)
}

// The kinds of ids that must be in a register.
var (
	groupID    = unlessZero(known(anID.Schema, func(d *document, f value) uuid.UUID { return f.reference(&d.groups, aGroup) }))
	categoryID = known(anID.Schema, func(d *document, f value) uuid.UUID { return f.reference(&d.categories, aCategory) })
	productID  = known(anID.Schema, func(d *document, f value) uuid.UUID { return f.reference(&d.products, aProduct) })
)

// id reads a UUID. It returns false if the value is absent or was refused. The nil UUID is refused,
// because it means "none" in every field of package commerce.
func (f value) id() (uuid.UUID, bool) {
	if f.absent() {
		return uuid.Nil, false
	}
	id, ok := commerce.ParseID(f.raw.Text())
	if !ok || id == uuid.Nil {
		f.mustBe(aUUID)
		return uuid.Nil, false
	}
	return id, true
}

// The names of the targets of references in faults.
const (
	aGroup    = "customer group"
	aCategory = "category"
	aProduct  = "product"
)

// reference reads a UUID that must be in the register, the zero UUID if it is absent.
func (f value) reference(to *register[uuid.UUID], target string) uuid.UUID {
	id, ok := f.id()
	if ok && !to.has(id) {
		f.dangles(target, id)
	}
	return id
}

// dangles adds the fault that no target has the id.
func (f value) dangles(target string, id uuid.UUID) {
	if !f.d.page {
		f.d.add(found{at: f.raw.Offset(f.d.root), kind: ofContent, message: "is not the id of a " + target})
	}
}
