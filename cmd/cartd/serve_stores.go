package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"cartd/actors"
	"cartd/commerce/storefile"
	"cartd/engine"
	"cartd/persistence"
	"cartd/persistence/embedded"
	"cartd/persistence/records"
	"cartd/persistence/stores"
)

// openStores opens Redis, loads the documents and checks that a store can be read. After an error
// Redis is closed.
func (n *node) openStores(docs []*storefile.Document) (err error) {
	defer func() {
		if err != nil {
			n.closeRedis()
		}
	}()
	n.server.Await(engine.RedisAway)
	if err := n.openRedis(); err != nil {
		return err
	}
	n.server.Await(engine.Starting)
	if err := n.loadStores(docs); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), loadTimeout)
	defer cancel()
	return n.db.CheckReadable(ctx)
}

// openRedis connects to Redis, and starts the actors that commit to it.
func (n *node) openRedis() (err error) {
	url := n.config.redis.url
	if url == embeddedURL {
		if n.embedded, err = embedded.Start(); err != nil {
			return fmt.Errorf("embedded Redis: %w", err)
		}
		url = n.embedded.URL()
	}
	n.db, err = persistence.Open(persistence.Config{
		URL: url, TLS: n.config.redis.tls,
		Timeout: n.config.redis.timeout, WaitReplicas: n.config.redisWait, StoreGrowth: int64(n.config.storeGrowth),
		StoreIdle:       n.config.storeIdle,
		StoreMemory:     int64(n.config.storeMemory),
		WatchMasters:    true,
		ResidentCart:    func(key engine.RecordKey) *engine.CartRecord { return n.carts.Known(key) },
		ResidentContact: func(key engine.RecordKey) bool { return n.contacts.Known(key) != nil },
		Logger:          n.log,
		OnTrip:          n.trips.observe,
	})
	if err != nil {
		return err
	}
	n.carts = actors.NewCarts(persistence.Carts.In(n.db), actors.Config{
		Mailbox: n.config.mailbox, Resident: int64(n.config.resident), Idle: n.config.idle,
		Writer: records.NewWriter(), Logger: n.log,
		Changed: func(key engine.RecordKey, stamp engine.Stamp) { n.engine.CartChanged(key, stamp) },
	})
	n.contacts = actors.NewContacts(persistence.Contacts.In(n.db), n.carts)
	n.quotes = actors.NewRecords(persistence.Quotes.In(n.db), n.carts)
	n.orders = actors.NewRecords(persistence.Orders.In(n.db), n.carts)
	n.stores = actors.NewStores(persistence.StoresIn(n.db), n.carts)
	n.kinds = []actorsOfKind{n.stores, n.orders, n.quotes, n.contacts, n.carts}
	return nil
}

func (n *node) loadStores(docs []*storefile.Document) error {
	ctx, cancel := context.WithTimeout(context.Background(), loadTimeout)
	defer cancel()
	work, failed := make(chan *storefile.Document), make(chan error, loaders)
	for range loaders {
		go func() {
			var failure error
			for doc := range work {
				if failure == nil {
					failure = n.loadStore(ctx, doc)
				}
			}
			failed <- failure
		}()
	}
	for _, doc := range docs {
		work <- doc
	}
	close(work)
	var err error
	for range loaders {
		err = cmp.Or(err, <-failed)
	}
	return err
}

// withoutDeadline ends when ctx ends, but has no deadline.
func withoutDeadline(ctx context.Context) (context.Context, func()) {
	without, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, cancel)
	return without, func() { stop(); cancel() }
}

// loadStore loads a document. If several nodes start with one document, the first imports it and
// the others wait.
func (n *node) loadStore(ctx context.Context, doc *storefile.Document) error {
	if n.config.storeReplace {
		if changed, err := n.db.Changed(ctx, doc.Store.ID); err == nil && changed {
			return fmt.Errorf("store %s: change sets have changed it since its document was loaded: replace it with cartd import, or leave --store-replace out",
				doc.Store.ID)
		}
	}
	// Each write of the import has its own deadline, as in cartd import: a start that waits for replicas says so.
	ctx, end := withoutDeadline(ctx)
	defer end()
	saved := stores.DocumentOf(doc)
	saved.By = "cartd serve"
	taken, _ := takenExternalIDs(n.db, doc) // an error is that of the import, too
	made := deed(doc.Store.ID, "import", numberOf(len(doc.Store.Products), "product"))
	made.Command, made.User, made.Host = "cartd serve", systemUser(), hostname()
	_ = n.db.BeginDeed(ctx, &made) // the end tells it
	changed, err := n.db.SaveStore(ctx, saved, n.config.storeReplace)
	for errors.Is(err, stores.ErrImportRunning) && ctx.Err() == nil {
		time.Sleep(importRetry)
		changed, err = n.db.SaveStore(ctx, saved, n.config.storeReplace)
	}
	if err != nil || !changed {
		_ = n.db.DropDeed(ctx, &made)
	}
	switch {
	case errors.Is(err, stores.ErrStoreDiffers):
		return fmt.Errorf("store %s: %w: leave its --store out, or replace it with --store-replace", doc.Store.ID, err)
	case err != nil:
		return fmt.Errorf("store %s: %w", doc.Store.ID, err)
	case !changed:
		return nil
	}
	for _, warning := range append(sharedExternalIDs(doc), taken...) {
		n.log.Warn("doubtful external ids", "store", doc.Store.ID.String(), "what", warning)
	}
	logDeed(n.log, &made)
	if err := n.db.EndDeed(ctx, &made); err != nil {
		n.log.Warn("the audit trail does not have an import", "store", doc.Store.ID.String(), "error", err)
	}
	return nil
}
