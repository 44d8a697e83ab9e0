package persistence

import (
	"context"
	"log/slog"
	"sync"
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
	"cartd/ratelimit"
)

// Config says where Redis is and how long it may take.
type Config struct {
	URL string
	// TLS is for a URL that is rediss://.
	TLS redisdb.TLSFiles
	// Timeout is after how much silence Redis counts as away.
	Timeout time.Duration
	// WaitReplicas is how many replicas have to acknowledge a commit.
	WaitReplicas int
	// StoreIdle is when an unused store leaves memory; 0: never.
	StoreIdle time.Duration
	// Decode makes a Store of the settings that SaveStore was given.
	Decode func(settings []byte) (*commerce.Store, error)
	// OrderJSON and QuoteJSON append an order, or a quote as it is at a time, as events show it.
	OrderJSON func([]byte, *commerce.Order) []byte
	QuoteJSON func([]byte, *commerce.Quote, time.Time) []byte
	// Held returns the stamp of a record that the node has in memory, so that an
	// admission reads only the stamp, or nothing yet.
	Held func(engine.RecordKey) (engine.Stamp, bool)
	// HeldContact is Held for contacts.
	HeldContact func(engine.RecordKey) (engine.Stamp, bool)
	Logger      *slog.Logger
}

// DB is a node's side of Redis.
type DB struct {
	client *redisdb.Client
	config Config
	log    *slog.Logger
	wait   int

	*stores.Stores
	*accounts.Accounts
	*stock.Stock
	outbox  *outbox.Outbox
	stop    chan struct{}
	clients ratelimit.Clients
	windows ratelimit.Windows
	waiting sync.Pool // of *admission
}

// visitScripts are loaded on every new connection, as those of the rooms are.
var visitScripts = []*redis.Script{ratelimit.Script, ratelimit.BeginAttempt, ratelimit.EndAttempt, records.Write}

// Open connects. Its errors say what to do.
func Open(config Config) (*DB, error) {
	client, err := redisdb.Open(redisdb.Config{
		URL: config.URL, TLS: config.TLS, Timeout: config.Timeout, Replicas: config.WaitReplicas, Scripts: visitScripts, Logger: config.Logger,
	})
	if err != nil {
		return nil, err
	}
	d := &DB{
		client: client, config: config, log: config.Logger, wait: config.WaitReplicas,
		Stores: stores.New(client, config.Logger, config.Decode), Accounts: accounts.New(client), Stock: stock.New(client),
		stop: make(chan struct{}), waiting: sync.Pool{New: newAdmission},
	}
	d.outbox = outbox.New(client, config.Logger, d.Stores)
	if config.StoreIdle > 0 {
		go d.Stores.EvictIdle(config.StoreIdle, d.stop)
	}
	go d.Stock.Watch(d.Stores.Holding, d.stop)
	return d, nil
}

// Outbox is where events wait for their delivery.
func (d *DB) Outbox() *outbox.Outbox { return d.outbox }

// Warning is what an operator should know of this Redis; empty: nothing.
func (d *DB) Warning() string { return d.client.Warning }

// Close sends what is queued and disconnects.
func (d *DB) Close() {
	close(d.stop)
	d.client.Close()
}

// DropStore deletes a store with all its data and returns how many keys that were, as Stores.Drop
// does.
func (d *DB) DropStore(ctx context.Context, store uuid.UUID, progress func(deleted int)) (int, error) {
	return d.Drop(ctx, store, func(pipe redis.Pipeliner) { d.outbox.Forget(pipe, store) }, progress)
}

// AwaitReplicas returns once as many replicas as have to have all that was written before,
// by whomever. Errors: ErrUnavailable, ErrUnknownOutcome (not by the deadline).
func (d *DB) AwaitReplicas(store uuid.UUID, deadline time.Time) error {
	if d.wait == 0 {
		return nil
	}
	return d.TakeTrip(store, deadline)
}

// TakeTrip takes the trip to Redis that a commit takes, and changes nothing: for an answer
// that must not tell by its time whether there was something to commit.
// Errors: ErrUnavailable, ErrUnknownOutcome (not by the deadline).
func (d *DB) TakeTrip(store uuid.UUID, deadline time.Time) error {
	return d.client.WriteUntilAnswered(deadline, redisdb.NowCall(stores.HeadKey(store)))
}
