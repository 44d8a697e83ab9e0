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

func unpackPart(packed []byte) (strictjson.Value, *document, error) {
	settings, err := unpack(packed)
	if err != nil {
		return nil, nil, err
	}
	return parsePart(settings)
}

// What a product, a variant and an attribute take in memory besides their texts, with their places in the store's
// and the catalogue's indexes. Measured: TestTheMemoryOfAStoreIsEstimated compares the estimate with the heap.
const (
	memoryOfProduct   = 650
	memoryOfVariant   = 490
	memoryOfAttribute = 100
)

// MemoryOf estimates the bytes that a store takes in memory, with its catalogue. packed are its settings, of which
// ParseKept has read it: texts take about what they take there.
func MemoryOf(s *commerce.Store, packed []byte) int64 {
	all := int64(unpackedSize(packed)) + memoryOfProduct*int64(len(s.Products))
	for _, p := range s.Products {
		all += memoryOfVariant*int64(len(p.Variants)) + memoryOfAttribute*int64(len(p.Attributes))
		for i := range p.Variants {
			all += memoryOfAttribute * int64(len(p.Variants[i].Attributes))
		}
	}
	return all
}
