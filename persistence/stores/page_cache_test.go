package stores

import (
	"testing"

	"github.com/google/uuid"

	"cartd/commerce/storefile"
)

// A page that another node has written is kept where change sets change the store, and only there.
func TestCacheFollowsPagesOfChangedStores(t *testing.T) {
	c := pageCache{stores: map[uuid.UUID]*storePages{}}
	own, others := storefile.PageName{1}, storefile.PageName{2}
	c.follow(shopID, others, []byte("followed"))
	if c.get(shopID, others) != nil || c.bytes != 0 {
		t.Errorf("a store without change sets has %d bytes", c.bytes)
	}
	c.add(shopID, map[storefile.PageName][]byte{own: []byte("own")})
	c.follow(shopID, others, []byte("followed"))
	c.follow(otherShop, others, []byte("followed"))
	if got := string(c.get(shopID, others)); got != "followed" || c.get(otherShop, others) != nil {
		t.Errorf("got %q, and %q of another store", got, c.get(otherShop, others))
	}
	if want := len("own") + len("followed"); c.bytes != want {
		t.Errorf("%d bytes, want %d", c.bytes, want)
	}
	for i := range byte(storeCached) {
		c.follow(shopID, storefile.PageName{3, i}, []byte("later"))
	}
	if n := len(c.stores[shopID].pages); n != storeCached || c.get(shopID, own) != nil {
		t.Errorf("%d pages, want the %d used last", n, storeCached)
	}
}
