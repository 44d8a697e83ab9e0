package configurator

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
)

// hash is config_hash: SHA-256 over the product's id, the dimensions by key and the
// ids of the choices in order. Lists and texts stand behind their lengths, so that no
// two configurations are written alike. Carts keep it: the form must never change.
func (e *Engine) hash(sizes []int64, picked []int) [sha256.Size]byte {
	text := append(make([]byte, 0, 256), e.product[:]...)
	text = binary.AppendUvarint(text, uint64(len(sizes)))
	for _, at := range e.sorted {
		text = appendText(text, e.offered.Dimensions[at].Key)
		text = binary.AppendVarint(text, sizes[at])
	}
	ranks := make([]int, len(picked))
	for i, at := range picked {
		ranks[i] = e.choices[at].rank
	}
	slices.Sort(ranks)
	text = binary.AppendUvarint(text, uint64(len(ranks)))
	for _, rank := range ranks {
		text = appendText(text, e.ranked[rank])
	}
	return sha256.Sum256(text)
}

func appendText(dst []byte, text string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(text))), text...)
}
