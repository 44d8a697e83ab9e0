package commerce

import (
	"testing"
	"unsafe"
)

// A store keeps all its products in memory. Above this size each takes the allocator's next class, 32 bytes more: a new
// member that few products have belongs behind a pointer that they share.
func TestSizeOfAProduct(t *testing.T) {
	if got := unsafe.Sizeof(Product{}); got > 384 {
		t.Errorf("a product takes %d bytes, want at most 384", got)
	}
}
