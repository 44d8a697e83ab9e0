package storefile

import "cartd/commerce"

// ParseKept reads the text of a document's pages as Parse does, but does not write and hash them again. That
// saves a third of the work. The error is a *Faults. The Store keeps no part of the text.
func ParseKept(settings []byte) (*commerce.Store, error) {
	root, d, err := parsePart(settings)
	if err != nil {
		return nil, err
	}
	d.kept = true
	store := d.read().Store
	if faults := d.faults(root, root); faults != nil {
		return nil, faults
	}
	makeReady(store)
	return store, nil
}
