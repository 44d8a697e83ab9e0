//go:build long

package blackbox_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"cartd/commerce"
	"cartd/internal/redistest"
)

const (
	heavyCarts     = 16_000
	heavyCustomers = 8 // that write and read carts at the same time
)

// With 128 MiB for records the process takes less than 256 MiB while it writes and then reads 16,000
// carts of 16 KiB of metadata.
func TestScaleOfHeavyCarts(t *testing.T) {
	f, r := newFigures(t), redistest.Real(t)
	n := start(t, options{redis: r.URL(), stores: storeFiles(t, keyShop), flags: []string{"--resident", "128MiB"}})
	shop, empty := n.client(t), n.memory(t, "VmRSS")
	body := heavyMetadata()
	paths := make([]string, heavyCarts)
	each := func(visit func(i int)) {
		var group sync.WaitGroup
		for first := range heavyCustomers {
			group.Go(func() {
				for i := first; i < heavyCarts; i += heavyCustomers {
					visit(i)
				}
			})
		}
		group.Wait()
	}
	each(func(i int) {
		paths[i] = shop.newCart()
		shop.add(paths[i], hammer, "1")
		shop.patch(paths[i], body).wantStatus(http.StatusOK)
	})
	f.size(fmt.Sprintf("16,000 carts of 16 KiB written, --resident 128MiB: peak of a node (empty: %d MB)", empty), 256, n.memory(t, "VmHWM"))
	each(func(i int) { shop.get(paths[i]).wantStatus(http.StatusOK) })
	f.size("the same carts read: peak", 256, n.memory(t, "VmHWM"))
	each(func(i int) { shop.patch(paths[i], `{}`).wantStatus(http.StatusOK) })
	f.size("the same carts changed: peak", 256, n.memory(t, "VmHWM"))
}

// heavyMetadata is the body of a PATCH with the maximum of metadata.
func heavyMetadata() string {
	var members []string
	for i := range 16 {
		members = append(members, fmt.Sprintf(`"note-%02d":%q`, i, strings.Repeat("x", commerce.MaxMetadataBytes/16-len("note-00"))))
	}
	return `{"metadata":{` + strings.Join(members, ",") + `}}`
}
