package storefile

import (
	"errors"

	"cartd/commerce"
	"cartd/internal/strictjson"
)

// ParseKept reads Document.Settings as Parse does, but does not write and hash them again. That
// saves a third of the work. The error is a *Faults, or an error of the packing. The Store keeps no
// part of packed.
func ParseKept(packed []byte) (*commerce.Store, error) {
	settings, err := unpack(packed)
	if err != nil {
		return nil, err
	}
	root, err := strictjson.Parse(settings)
	if err != nil {
		var syntax *strictjson.SyntaxError
		errors.As(err, &syntax) // strictjson.Parse returns no other error
		return nil, syntaxFault(settings, syntax)
	}
	d := newDocument(root)
	d.kept = true
	store := d.read(field{r: &d.reader, raw: root}).Store
	if faults := d.faults(root, root); faults != nil {
		return nil, faults
	}
	makeReady(store)
	return store, nil
}
