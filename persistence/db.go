package persistence

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/engine"
	"cartd/ratelimit"
)

// Config says where Redis is and how long it may take.
type Config struct {
	// URL of the main Redis; LimiterURL, where not empty, of one for the limiter's
	// lists alone.
	URL, LimiterURL string
	// TLS is for those of them that are rediss://.
	TLS TLSFiles
	// Timeout is after how much silence Redis counts as away.
	Timeout time.Duration
	// WaitReplicas is how many replicas have to acknowledge a commit.
	WaitReplicas int
	// StoreIdle is when a store that nobody asks for leaves memory; 0: never.
	StoreIdle time.Duration
	// Decode makes a Store of the settings that SaveStore was given.
	Decode func(settings []byte) (*commerce.Store, error)
	// Held returns the stamp of a record that the node has in memory, so that an
	// admission reads only the stamp, or nothing yet.
	Held func(engine.RecordKey) (engine.Stamp, bool)
	// Presumable is Held, but for records whose writes take two trips, those with
	// stock; nil: Held.
	Presumable func(engine.RecordKey) (engine.Stamp, bool)
	// HeldContact is Held for contacts.
	HeldContact func(engine.RecordKey) (engine.Stamp, bool)
	Logger      *slog.Logger
}

// DB is a node's side of Redis.
type DB struct {
	main    *link
	limiter *link // main, unless the limiter has a Redis of its own
	config  Config
	log     *slog.Logger
	wait    int
	warning string
	// leaseTime is the constant of that name, except in tests.
	leaseTime time.Duration

	admissions *batcher[*admission]
	counts     *batcher[commit] // behind a limiter of its own, which counts first
	commits    *batcher[commit]
	calls      *batcher[*call]
	lookups    *batcher[*lookup]
	stores     *stores
	outbox     *Outbox
	stop       chan struct{}
	clients    ratelimit.Clients
	windows    ratelimit.Windows
	clock      clock
	owners     owners
	waiting    sync.Pool // of *admission
}

// Open connects and starts the group commit. Its errors say what to do.
func Open(config Config) (*DB, error) {
	d := &DB{config: config, log: config.Logger, wait: config.WaitReplicas, leaseTime: leaseTime, waiting: sync.Pool{New: newAdmission}}
	if config.Presumable == nil {
		d.config.Presumable = config.Held
	}
	certificates, err := config.TLS.load(config.URL, config.LimiterURL)
	if err != nil {
		return nil, err
	}
	if d.main, err = openLink(config.URL, certificates, config.Timeout, config.Logger); err != nil {
		return nil, err
	}
	d.limiter = d.main
	if config.LimiterURL != "" {
		limiter, err := openLink(config.LimiterURL, certificates, config.Timeout, config.Logger)
		if err != nil {
			d.closeLinks()
			return nil, err
		}
		d.limiter = limiter
	}
	if d.wait > 0 && d.main.cluster {
		d.closeLinks()
		return nil, errors.New("replicas cannot be waited for on a cluster: leave --redis-wait out")
	}
	if err := d.checkServer(); err != nil {
		d.closeLinks()
		return nil, err
	}
	d.stores, d.stop = newStores(d), make(chan struct{})
	d.outbox = newOutbox(d)
	if config.StoreIdle > 0 {
		go d.stores.evictIdle(config.StoreIdle, d.stop)
	}
	d.admissions = newBatcher(&d.main.conns.awake, d.flushAdmissions)
	d.counts = newBatcher(&d.main.conns.awake, d.flushCounts)
	d.commits = newBatcher(&d.main.conns.awake, d.flushCommits)
	d.counts.hold = d.commits.awaitEnd
	d.calls = newBatcher(&d.main.conns.awake, d.flushCalls)
	d.lookups = newBatcher(&d.main.conns.awake, d.flushLookups)
	go d.watchLapses(d.stop)
	return d, nil
}

// Warning is what an operator should know of this Redis; empty: nothing.
func (d *DB) Warning() string { return d.warning }

// Close sends what is queued and disconnects.
func (d *DB) Close() {
	close(d.stop)
	d.admissions.close()
	d.counts.close()
	d.commits.close()
	d.calls.close()
	d.lookups.close()
	d.closeLinks()
}

func (d *DB) closeLinks() {
	d.main.close()
	if d.limiter != d.main {
		d.limiter.close()
	}
}

// checkServer refuses a Redis that cannot be reached or that would evict carts,
// and notes a warning for one that keeps nothing on disk.
func (d *DB) checkServer() error {
	for _, l := range []*link{d.main, d.limiter} {
		err := ping(l.client, d.config.Timeout)
		if err != nil { // the first one may wait for a sentinel that is away; then the others are known
			err = ping(l.client, d.config.Timeout)
		}
		if err != nil {
			return fmt.Errorf("redis cannot be reached at %s (%w): start it, wait until it has loaded its file, or correct %s", d.address(l), err, toCorrect(d.address(l)))
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), d.config.Timeout)
	defer cancel()
	for _, l := range []*link{d.main, d.limiter} {
		memory := infoField(l.client.Info(ctx, "memory"), "maxmemory_policy")
		if memory != "" && memory != "noeviction" {
			return fmt.Errorf("redis at %s evicts keys (maxmemory-policy %s): set it to noeviction", d.address(l), memory)
		}
	}
	if infoField(d.main.client.Info(ctx, "persistence"), "aof_enabled") == "0" {
		d.warning = "redis keeps no append-only file: answered writes may be lost when it stops (docs/operations.md, Durability)"
	}
	return nil
}

// toCorrect is what may be wrong where a Redis is not reached.
func toCorrect(address string) string {
	if secure(address) {
		return "the address, or --redis-ca, --redis-cert and --redis-key"
	}
	return "the address"
}

func (d *DB) address(l *link) string {
	if l == d.main {
		return redactURL(d.config.URL)
	}
	return redactURL(d.config.LimiterURL)
}

// infoField finds one field of an INFO answer; empty where there is none.
func infoField(info *redis.StringCmd, field string) string {
	for line := range strings.Lines(info.Val()) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), ":"); ok && name == field {
			return value
		}
	}
	return ""
}

// reloadScripts gives a Redis that lost its scripts (SCRIPT FLUSH) what it needs.
func (d *DB) reloadScripts() {
	for _, l := range []*link{d.main, d.limiter} {
		ctx, cancel := context.WithTimeout(context.Background(), l.timeout)
		var failed error
		for _, s := range scripts {
			failed = cmp.Or(failed, s.Load(ctx, l.client).Err()) // of a cluster others may have it
		}
		cancel()
		if failed != nil {
			l.log.Warn("scripts cannot be loaded", "error", failed.Error())
		}
	}
}

// isDial reports whether an attempt ended before anything was sent.
func isDial(err error) bool {
	var op *net.OpError // clusters and sentinels dial by themselves
	return errors.Is(err, errDial) || errors.Is(err, redis.ErrPoolTimeout) || errors.As(err, &op) && op.Op == "dial"
}

func hexText(b []byte) string { return hex.EncodeToString(b) }
