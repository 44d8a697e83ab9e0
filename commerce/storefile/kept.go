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

// What a product, a variant and an attribute take in memory besides their texts, with their places in the store's
// and the catalogue's indexes. Measured: TestTheMemoryOfAStoreIsEstimated compares the estimate with the heap.
const (
	memoryOfProduct   = 650
	memoryOfVariant   = 490
	memoryOfAttribute = 100
)

// MemoryOf estimates the bytes that a store takes in memory, with its catalogue. settings is the length of
// the text of which ParseKept has read it: texts take about what they take there.
func MemoryOf(s *commerce.Store, settings int) int64 {
	all := int64(settings) + memoryOfProduct*int64(len(s.Products))
	for _, p := range s.Products {
		all += memoryOfVariant*int64(len(p.Variants)) + memoryOfAttribute*int64(len(p.Attributes))
		for i := range p.Variants {
			all += memoryOfAttribute * int64(len(p.Variants[i].Attributes))
		}
	}
	return all
}
