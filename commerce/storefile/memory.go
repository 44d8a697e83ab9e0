package storefile

import "cartd/commerce"

// What a product, a variant and an attribute take in memory besides their texts, with their places in the store's
// and the catalogue's indexes. Measured: TestTheMemoryOfAStoreIsEstimated compares the estimate with the heap.
const (
	memoryOfProduct   = 650
	memoryOfVariant   = 490
	memoryOfAttribute = 100
)

// MemoryOf estimates the bytes that a store takes in memory, with its catalogue. settings is the length of
// the text of which it was read: texts take about what they take there.
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
