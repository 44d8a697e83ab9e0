package persistence

import (
	"encoding/hex"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/redisdb"
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
	// StoreIdle is when a store that nobody asks for leaves memory; 0: never.
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
	// OnTrip observes the round trips that requests share; nil if nobody counts them.
	OnTrip func(redisdb.Trip)
}

// DB is a node's side of Redis.
type DB struct {
	main   *redisdb.Client
	config Config
	log    *slog.Logger
	wait   int
	// leaseTime is the constant of that name, except in tests.
	leaseTime time.Duration

	stores  *stores
	outbox  *Outbox
	stop    chan struct{}
	clients ratelimit.Clients
	windows ratelimit.Windows
	faults  faults
	owners  owners
	waiting sync.Pool // of *admission
	// holdsExpired counts the carts whose holds this node has released.
	holdsExpired atomic.Uint64
}

// Open connects. Its errors say what to do.
func Open(config Config) (*DB, error) {
	main, err := redisdb.Open(redisdb.Config{
		URL: config.URL, TLS: config.TLS, Timeout: config.Timeout, Replicas: config.WaitReplicas, Scripts: scripts, Logger: config.Logger,
		OnTrip: config.OnTrip,
	})
	if err != nil {
		return nil, err
	}
	d := &DB{
		main: main, config: config, log: config.Logger, wait: config.WaitReplicas, leaseTime: leaseTime,
		stop: make(chan struct{}), waiting: sync.Pool{New: newAdmission},
	}
	d.stores, d.outbox = newStores(d), newOutbox(d)
	if config.StoreIdle > 0 {
		go d.stores.evictIdle(config.StoreIdle, d.stop)
	}
	go d.watchLapses(d.stop)
	return d, nil
}

// Redis is the node's way to Redis, for what operators watch of it.
func (d *DB) Redis() *redisdb.Client { return d.main }

// Warning is what an operator should know of this Redis; empty: nothing.
func (d *DB) Warning() string { return d.main.Warning }

// Close sends what is queued and disconnects.
func (d *DB) Close() {
	close(d.stop)
	d.main.Close()
}

func hexText(b []byte) string { return hex.EncodeToString(b) }
