package stores

import (
	"sync"
	"time"

	"github.com/google/uuid"

	"cartd/commerce/storefile"
)

const (
	// storeCached is the number of packed pages that a node keeps of one store, cacheBytes the bytes of those of all.
	storeCached = 64
	cacheBytes  = 16 << 20
	// cachedFor is how long the pages of a store stay after its last change set.
	cachedFor = 5 * time.Minute
)

// pageCache has packed pages of stores that change sets change here. The pages used least lately leave first.
type pageCache struct {
	mu     sync.Mutex
	stores map[uuid.UUID]*storePages
	// uses counts the uses of pages, bytes are those of all.
	uses  uint64
	bytes int
}

// storePages are the pages of one store.
type storePages struct {
	pages map[storefile.PageName]*cachedPage
	// used is the time of the last use of any.
	used time.Time
}

type cachedPage struct {
	packed []byte
	used   uint64
}

// get returns a packed page; nil if it is not there.
func (c *pageCache) get(store uuid.UUID, name storefile.PageName) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	of := c.stores[store]
	if of == nil || of.pages[name] == nil {
		return nil
	}
	c.uses++
	page := of.pages[name]
	page.used, of.used = c.uses, time.Now()
	return page.packed
}

// add adds packed pages of a store.
func (c *pageCache) add(store uuid.UUID, pages map[storefile.PageName][]byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	of := c.stores[store]
	if of == nil {
		of = &storePages{pages: map[storefile.PageName]*cachedPage{}}
		c.stores[store] = of
		time.AfterFunc(cachedFor, func() { c.expire(store, of) })
	}
	of.used = time.Now()
	for name, packed := range pages {
		c.put(of, name, packed)
	}
}

// follow adds a page that another node has written, if change sets change the store here, too: the next of them may need it.
func (c *pageCache) follow(store uuid.UUID, name storefile.PageName, packed []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if of := c.stores[store]; of != nil {
		c.put(of, name, packed)
	}
}

// put adds a page, and drops those that are too many.
func (c *pageCache) put(of *storePages, name storefile.PageName, packed []byte) {
	c.uses++
	if page := of.pages[name]; page != nil {
		page.used = c.uses
		return
	}
	of.pages[name] = &cachedPage{packed, c.uses}
	if c.bytes += len(packed); len(of.pages) > storeCached {
		c.drop(of)
	}
	for c.bytes > cacheBytes {
		c.drop(nil)
	}
}

// drop drops the page used least lately, of one store or of all.
func (c *pageCache) drop(of *storePages) {
	var from *storePages
	var oldest storefile.PageName
	for _, some := range c.stores {
		if of != nil && some != of {
			continue
		}
		for name, page := range some.pages {
			if from == nil || page.used < from.pages[oldest].used {
				from, oldest = some, name
			}
		}
	}
	c.bytes -= len(from.pages[oldest].packed)
	delete(from.pages, oldest)
}

// expire drops the pages of a store that has not been changed for some time, or comes back later.
func (c *pageCache) expire(store uuid.UUID, of *storePages) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if left := time.Until(of.used.Add(cachedFor)); left > 0 {
		time.AfterFunc(left, func() { c.expire(store, of) })
		return
	}
	for _, page := range of.pages {
		c.bytes -= len(page.packed)
	}
	delete(c.stores, store)
}
