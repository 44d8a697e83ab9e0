package persistence

import (
	"cmp"
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/accounts"
	"cartd/persistence/outbox"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
	"cartd/persistence/stock"
	"cartd/persistence/stores"
	"cartd/persistence/unpaid"
	"cartd/ratelimit"
)

// Config has the address of Redis and the node's settings for it.
type Config struct {
	URL string
	// TLS has the certificates for a rediss:// URL.
	TLS redisdb.TLSFiles
	// Timeout is the silence after which Redis counts as unreachable.
	Timeout time.Duration
	// WaitReplicas is the number of replicas that must acknowledge a commit.
	WaitReplicas int
	// StoreIdle is the time after which an unused store is evicted; 0 means never.
	StoreIdle time.Duration
	// StoreMemory is the memory, in bytes, above which the stores used longest ago are evicted; 0 for no bound.
	StoreMemory int64
	// StoreGrowth is the number of bytes by which a store may grow for each request of its limit; 0 for
	// ratelimit.DefaultGrowth.
	StoreGrowth int64
	// WatchMasters reads each second Redis's clock and how full its memory is, and bounds the growth of stores by that.
	WatchMasters bool
	// ResidentCart returns a cart that is in the node's memory, or nil. An admission then reads only the
	// stamp.
	ResidentCart func(engine.RecordKey) *engine.CartRecord
	// ResidentContact reports whether a contact is in the node's memory.
	ResidentContact func(engine.RecordKey) bool
	Logger          *slog.Logger
	// OnTrip observes the round trips that requests share; nil if nothing counts them.
	OnTrip func(redisdb.Trip)
}

var _ engine.Storage = (*DB)(nil)

// DB is a node's connection to Redis.
type DB struct {
	client *redisdb.Client
	config Config
	log    *slog.Logger
	wait   int

	*stores.Stores
	*accounts.Accounts
	*stock.Stock
	outbox *outbox.Outbox
	unpaid *unpaid.Orders
	stop   chan struct{}
	// noneReadable means that this program can read none of the stores.
	noneReadable atomic.Bool
	clients      ratelimit.Clients
	storeClients ratelimit.ClientCounts
	windows      ratelimit.Windows
	growth       ratelimit.Growth
	waiting      sync.Pool // of *admission
	// refusedUses counts, by commerce.Counter, the uses of discounts that sales could not count.
	refusedUses []atomic.Uint64
}

// visitScripts are loaded on every new connection, with the scripts of the sub-packages.
var visitScripts = []*redis.Script{ratelimit.Script, ratelimit.BeginAttempt, records.Write}

// Open connects. Its errors say how to correct them.
func Open(config Config) (*DB, error) {
	client, err := redisdb.Open(redisdb.Config{
		URL: config.URL, TLS: config.TLS, Timeout: config.Timeout, Replicas: config.WaitReplicas, Scripts: visitScripts, Logger: config.Logger,
		OnTrip: config.OnTrip,
	})
	if err != nil {
		return nil, err
	}
	d := &DB{
		client: client, config: config, log: config.Logger, wait: config.WaitReplicas,
		Stores: stores.New(client, config.Logger), Accounts: accounts.New(client), Stock: stock.New(client),
		growth: ratelimit.Growth{PerRequest: cmp.Or(config.StoreGrowth, ratelimit.DefaultGrowth)},
		stop:   make(chan struct{}), waiting: sync.Pool{New: newAdmission}, refusedUses: make([]atomic.Uint64, len(commerce.CounterNames())),
	}
	d.outbox = outbox.New(client, config.Logger, d.Stores)
	d.unpaid = unpaid.New(client, config.Logger, d.outbox, d.endOrders)
	d.Stores.Bound(config.StoreMemory)
	if config.StoreIdle > 0 {
		go d.Stores.EvictIdle(config.StoreIdle, d.stop)
	}
	if config.WatchMasters {
		go d.watchMasters(time.NewTicker(time.Second), d.stop)
	}
	go d.Stock.Watch(d.Stores.Holding, d.stop)
	return d, nil
}

// endOrders commits visits that end unpaid orders.
func (d *DB) endOrders(version *engine.StoreVersion, visits []*engine.Visit[*commerce.Order]) ([]records.Result, error) {
	return Orders.In(d).Commit(version, visits, nil)
}

// RefusedUses counts the uses of discounts that sales of this node could not count.
func (d *DB) RefusedUses(c commerce.Counter) uint64 { return d.refusedUses[c].Load() }

// Unpaid returns the unpaid orders, for metrics.
func (d *DB) Unpaid() *unpaid.Orders { return d.unpaid }

// Outbox returns the events that wait for delivery.
func (d *DB) Outbox() *outbox.Outbox { return d.outbox }

// WebhookQueues reads the queues of the store's webhooks, in the document's order. Errors: ErrUnavailable.
func (d *DB) WebhookQueues(r *engine.Request) ([]engine.WebhookQueue, error) {
	return d.outbox.Queues(r.Store, r.Deadline)
}

// Redis returns the client, for metrics and health checks.
func (d *DB) Redis() *redisdb.Client { return d.client }

// Warning is a text for the operator about this Redis; empty if there is none.
func (d *DB) Warning() string { return d.client.Warning }

// Close sends the queued operations and disconnects.
func (d *DB) Close() {
	close(d.stop)
	d.client.Close()
}

// DropStore deletes a store with all its data and returns the number of deleted keys, as
// Stores.Drop does.
func (d *DB) DropStore(ctx context.Context, store uuid.UUID, progress func(deleted int)) (int, error) {
	return d.Drop(ctx, store, func(pipe redis.Pipeliner) { d.outbox.Forget(pipe, store) }, progress)
}

// AwaitReplicas is part of engine.Storage.
func (d *DB) AwaitReplicas(store uuid.UUID, deadline time.Time) error {
	if d.wait == 0 {
		return nil
	}
	return d.EmptyTrip(store, deadline)
}

// EmptyTrip is part of engine.Storage. With it an answer's time does not reveal whether there was a commit.
func (d *DB) EmptyTrip(store uuid.UUID, deadline time.Time) error {
	return d.client.WriteUntilAnswered(deadline, redisdb.NowCall(stores.HeadKey(store)))
}

// readableEvery is the pause between two checks of stores that cannot be read.
const readableEvery = 2 * time.Second

// CheckReadable makes the node unready while this program can read none of the first stores for
// their format. It returns the error of Redis.
func (d *DB) CheckReadable(ctx context.Context) error {
	err := d.Stores.CheckReadable(ctx)
	if !stores.IsFormat(err) {
		return err
	}
	d.noneReadable.Store(true)
	d.log.Error("no store can be read: this release does not know their format; go back to the release that wrote them, or import the documents again", "error",
		err.Error())
	go d.awaitReadable()
	return nil
}

func (d *DB) awaitReadable() {
	tick := time.NewTicker(readableEvery)
	defer tick.Stop()
	for {
		select {
		case <-d.stop:
			return
		case <-tick.C:
		}
		if err := d.Stores.CheckReadable(context.Background()); err == nil {
			d.noneReadable.Store(false)
			d.log.Info("a store can be read")
			return
		}
	}
}
