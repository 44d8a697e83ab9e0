package storefile

import (
	"cartd/commerce"
	"cartd/internal/strictjson"
)

// ParseKept reads Document.Settings as Parse does, but does not write and hash them again. That
// saves a third of the work. The error is a *Faults, or an error of the packing. The Store keeps no
// part of packed.
func ParseKept(packed []byte) (*commerce.Store, error) {
	root, d, err := unpackPart(packed)
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

// CheckKept judges Document.Settings by the limits of an import, which ParseKept does not look at. It
// returns nil if the settings break none. The error is one of the packing.
func CheckKept(packed []byte) (*Faults, error) {
	root, d, err := unpackPart(packed)
	if err != nil {
		return nil, err
	}
	d.read()
	return d.faults(root, root), nil
}

func unpackPart(packed []byte) (strictjson.Value, *document, error) {
	settings, err := unpack(packed)
	if err != nil {
		return nil, nil, err
	}
	return parsePart(settings)
}
