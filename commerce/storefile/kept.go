package storefile

import (
	"errors"

	"cartd/commerce"
	"cartd/internal/strictjson"
)

// ParseKept reads what is kept of a document (Document.Settings), the way Parse
// does, without writing it again and hashing it: that is a third of the work. The
// error is a *Faults, or of the packing; the Store keeps no part of packed.
func ParseKept(packed []byte) (*commerce.Store, error) {
	settings, err := unpack(packed)
	if err != nil {
		return nil, err
	}
	root, err := strictjson.Parse(settings)
	if err != nil {
		var syntax *strictjson.SyntaxError
		errors.As(err, &syntax) // the only kind that Parse returns
		return nil, syntaxFault(settings, syntax)
	}
	d := newDocument(root)
	store := d.read(field{r: &d.reader, raw: root}).Store
	if faults := d.faults(root, root); faults != nil {
		return nil, faults
	}
	makeReady(store)
	return store, nil
}
