package storefile

import (
	"github.com/google/uuid"

	"cartd/commerce"
)

// register holds what is unique in a document: where each key was first given, in
// bytes from the document's beginning. The zero value is ready for use.
type register[K comparable] map[K]int

func (g register[K]) has(key K) bool {
	_, ok := g[key]
	return ok
}

// note remembers where a key is given.
func (g *register[K]) note(key K, at int) {
	if *g == nil {
		*g = register[K]{}
	}
	(*g)[key] = at
}

// first notes a key; false: it was given already.
func (g *register[K]) first(key K) bool {
	if g.has(key) {
		return false
	}
	g.note(key, 0)
	return true
}

// claim notes that a key is given at f; a second time is a fault.
func (g *register[K]) claim(f field, key K) {
	at := f.raw.Offset(f.r.root)
	if first, ok := (*g)[key]; ok {
		f.r.add(found{at: at, kind: ofContent, message: "is a duplicate of", other: first})
		return
	}
	g.note(key, at)
}

// uniqueText reads a text that is not empty and that no other of its kind has.
func (f field) uniqueText(in *register[string]) string {
	text := f.text()
	if text != "" {
		in.claim(f, text)
	}
	return text
}

// id reads a UUID. False: there is none, or it was refused. The nil UUID is
// refused, for it stands for "none" wherever ids are kept.
func (f field) id() (uuid.UUID, bool) {
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

// uniqueID reads a UUID that nothing else in the register has.
func (f field) uniqueID(in *register[uuid.UUID]) uuid.UUID {
	id, ok := f.id()
	if ok {
		in.claim(f, id)
	}
	return id
}

// What a reference can be to, in the words of its fault.
const (
	aGroup    = "customer group"
	aCategory = "category"
	aProduct  = "product"
)

// reference reads the UUID of something that the document describes; absent is
// the zero UUID.
func (f field) reference(to register[uuid.UUID], what string) uuid.UUID {
	id, ok := f.id()
	if ok && !to.has(id) {
		f.conflict("is not the id of a " + what)
	}
	return id
}

// references reads a list of such UUIDs.
func (f field) references(to register[uuid.UUID], what string) []uuid.UUID {
	return list(f, func(item field) uuid.UUID { return item.reference(to, what) })
}
