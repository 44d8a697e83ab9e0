package configurator

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
)

// hash is config_hash: the SHA-256 of the product's id, the dimensions sorted by key and the
// choices sorted by id. Every list and text follows its length, so different configurations have
// different inputs. Carts store the hash: its input format must never change.
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
