package bench

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/valyala/fasthttp"
)

// crawlerAddress is the address of all crawlers: one visitor in a loop.
const crawlerAddress = "203.0.113.7"

// crawlPause is the pause of a crawler after each answer. It does not wait for Retry-After.
const crawlPause = 5 * time.Millisecond

// Crawl says who was refused with 429 while crawlers read the catalogue beside shoppers. It covers the whole
// run, the ramp too.
type Crawl struct {
	// Carts are the requests of shoppers on their carts, with their checkouts; Catalogue their other ones.
	Carts     Asked `json:"carts"`
	Catalogue Asked `json:"catalogue"`
	// Journeys is the number of the shoppers' journeys that were begun.
	Journeys int64 `json:"journeys"`
	Crawlers Asked `json:"crawlers"`
}

// Asked counts requests and those of them that were refused with 429.
type Asked struct {
	Requests int64 `json:"requests"`
	Refused  int64 `json:"refused"`
}

func (a *Asked) count(refused bool) {
	if a.Requests++; refused {
		a.Refused++
	}
}

func (a *Asked) add(other Asked) {
	a.Requests, a.Refused = a.Requests+other.Requests, a.Refused+other.Refused
}

// add adds what another visitor counted.
func (c *Crawl) add(other *Crawl) {
	c.Carts.add(other.Carts)
	c.Catalogue.add(other.Catalogue)
	c.Crawlers.add(other.Crawlers)
	c.Journeys += other.Journeys
}

// Text says in lines who was refused.
func (c *Crawl) Text() string {
	text := fmt.Sprintf("%d journeys of shoppers were begun, each from an address of its own, beside crawlers of one address.\n", c.Journeys)
	for _, row := range []struct {
		who string
		Asked
	}{{"carts and checkouts", c.Carts}, {"catalogue, of shoppers", c.Catalogue}, {"crawlers", c.Crawlers}} {
		text += fmt.Sprintf("%-22s  %8d requests  %8d refused (429)\n", row.who, row.Requests, row.Refused)
	}
	return text
}

// tooMany reports whether a fault is an answer 429.
func tooMany(f *fault) bool {
	return f != nil && f.kind == fmt.Sprintf("status %d", fasthttp.StatusTooManyRequests)
}

// asked counts a shopper's request in a run with crawlers.
func (v *visitor) asked(o op, f *fault) {
	if v.world.scenario.Crawlers == 0 {
		return
	}
	if o == opCreate {
		v.crawl.Journeys++
	}
	if o.catalogue() {
		v.crawl.Catalogue.count(tooMany(f))
	} else {
		v.crawl.Carts.count(tooMany(f))
	}
}

// newShopper gives the visitor another address.
func (v *visitor) newShopper() {
	v.shoppers++
	v.forwarded = fmt.Appendf(v.forwarded[:0], "10.%d.%d.%d", v.index/250, v.index%250, 1+v.shoppers%250)
}

// newCrawlers makes the crawlers of the scenario, one for each node in turn.
func (w *World) newCrawlers() error {
	for k := range w.scenario.Crawlers {
		v, err := w.newVisitor(w.plan.Connections + k)
		if err != nil {
			return err
		}
		v.Client, v.turn, v.forwarded = v.nodes[k%len(v.nodes)], k, []byte(crawlerAddress)
		w.crawlers = append(w.crawlers, v)
	}
	return nil
}

// crawlUntil reads the catalogue, page by page and product by product, until ctx ends. Its answers are no
// part of the figures.
func (v *visitor) crawlUntil(ctx context.Context) {
	for i := 0; ctx.Err() == nil; i++ {
		o := opProduct
		if i%4 == 0 {
			o = opProductList
		}
		_, f := v.perform(v.decideBrowse(o))
		v.crawl.Crawlers.count(tooMany(f))
		select {
		case <-time.After(crawlPause):
		case <-ctx.Done():
		}
	}
}

// beginCrawl starts the crawlers. The returned function ends them.
func (w *World) beginCrawl(ctx context.Context) (end func()) {
	ctx, cancel := context.WithCancel(ctx)
	var busy sync.WaitGroup
	for _, v := range w.crawlers {
		v.crawl = Crawl{}
		busy.Go(func() { v.crawlUntil(ctx) })
	}
	return func() {
		cancel()
		busy.Wait()
	}
}

// crawled adds up who was refused; nil without crawlers.
func (w *World) crawled() *Crawl {
	if len(w.crawlers) == 0 {
		return nil
	}
	sum := &Crawl{}
	for _, v := range slices.Concat(w.visitors, w.crawlers) {
		sum.add(&v.crawl)
	}
	return sum
}

// CrawlLimits are the limits that docs/api/limits.md advises for so many shoppers a minute and so many nodes.
type CrawlLimits struct{ PerMinute, PerClient, ReservedForCarts int }

// The advice: a journey of the demo's shop has up to journeyRequests requests; twice as many shoppers may come
// in one minute as in another. A quick visitor, or a few behind one address, stay below clientRequests.
const (
	journeyRequests = 31
	clientRequests  = 120
)

// AdvisedLimits are the limits for so many shoppers a minute on so many nodes.
func AdvisedLimits(shoppers, nodes int) CrawlLimits {
	return CrawlLimits{PerMinute: 2*journeyRequests*shoppers + nodes*clientRequests, PerClient: clientRequests, ReservedForCarts: journeyRequests * shoppers}
}

// CrawlDocument is StoreDocument with the advised limits.
func CrawlDocument(i, shoppers, nodes int) []byte {
	document, limits := storeDocument(i), AdvisedLimits(shoppers, nodes)
	store := document["store"].(object)
	store["rate_limit_per_minute"] = limits.PerMinute
	store["limits"] = object{"per_client": limits.PerClient, "reserved_for_carts": limits.ReservedForCarts}
	return documentText(document)
}
