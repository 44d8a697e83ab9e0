package persistence

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"

	"cartd/engine"
	"cartd/ratelimit"
)

// link is a connection to one Redis (or cluster) and what is known of its health.
type link struct {
	client redis.UniversalClient
	// pinger asks whether Redis is there over connections of its own where it can, for
	// all of the pool's may be in use.
	pinger  redis.UniversalClient
	cluster bool
	// dial makes one connection past the pool, which after many failures looks for
	// Redis only once a second; nil: the pool alone knows where to dial.
	dial    func(context.Context) (net.Conn, error)
	timeout time.Duration
	tls     *tls.Config // certificates for rediss://; nil: none but the system's
	log     *slog.Logger
	conns   idleConns
	away    atomic.Bool
	barred  atomic.Bool // Redis answers, but takes no writes
	silent  sync.Map    // *member → nil: the servers of a cluster that do not answer
	closed  atomic.Bool
}

// errDial marks an attempt that certainly sent nothing.
var errDial = errors.New("cannot connect")

// dialFault is an errDial with its cause, of which only the text is kept: what Redis
// refused is the connection, not what waits for it. It wraps nothing, for go-redis
// unwraps what a new connection fails with.
type dialFault string

func (f dialFault) Error() string      { return errDial.Error() + ": " + string(f) }
func (dialFault) Is(target error) bool { return target == errDial }

// scripts are loaded on every new connection, so that a Redis that restarted or
// failed over knows them before the first command.
var scripts = []*redis.Script{
	ratelimit.Script, ratelimit.BeginAttempt, ratelimit.EndAttempt,
	commitScript, tallyScript, tokenScript, moveHeadScript, beginImportScript, nowScript, emailScript, registerScript,
	holdScript, lapseScript, stockLevelsScript, firstStockScript, adjustStockScript,
}

// openLink connects as the URL says: redis://, rediss://, unix://, several of them
// separated by commas for a cluster, ?master_name= for a sentinel.
func openLink(url string, certificates *tls.Config, timeout time.Duration, log *slog.Logger) (*link, error) {
	l := &link{timeout: timeout, tls: certificates, log: log, conns: idleConns{open: map[*conn]struct{}{}}}
	var err error
	switch {
	case strings.Contains(url, "master_name="):
		l.client, err = l.sentinel(url)
	case strings.Contains(url, ",") || strings.Contains(url, "addr="):
		l.cluster = true
		l.client, err = l.clusterClient(url)
	default:
		l.client, err = l.single(url)
	}
	if err != nil {
		fault := strings.TrimRight(err.Error(), ": ")
		if strings.ContainsAny(url, "@?") { // it may quote any part of the address, its password too
			fault = "it cannot be read"
		}
		return nil, fmt.Errorf("redis address %s: %s; begin it with redis://, rediss:// or unix://, and percent-encode what is special in a password", redactURL(url), fault)
	}
	if l.pinger == nil {
		l.pinger = l.client
	}
	go l.closeIdle()
	return l, nil
}

// redactURL leaves out of a URL what may hold a password: user and query, and all of a
// text that is no URL.
func redactURL(url string) string {
	scheme, rest, ok := strings.Cut(url, "://")
	switch {
	case !ok && strings.ContainsAny(url, "@?"), ok && strings.ContainsAny(scheme, ":@,?"):
		return "…"
	case !ok:
		return url
	}
	place, query, asked := strings.Cut(rest, "?")
	if strings.Contains(query, "@") { // or it belongs to a password
		return scheme + "://…"
	}
	if at := strings.LastIndex(place, "@"); at >= 0 {
		place = "…@" + place[at+1:]
	}
	if asked {
		place += "?…"
	}
	return scheme + "://" + place
}

const (
	poolSize = 16
	protocol = 2 // no push messages, the least to parse
	// A pipeline is never sent again behind our back: the sender has to know how
	// often a commit was sent.
	noRetries = -1
)

func (l *link) single(url string) (redis.UniversalClient, error) {
	o, err := redis.ParseURL(url)
	if err != nil {
		return nil, err
	}
	l.useTLS(o.TLSConfig)
	dial := redis.NewDialer(o)
	l.dial = func(ctx context.Context) (net.Conn, error) { return dial(ctx, o.Network, o.Addr) }
	o.Dialer = markDial(l.conns.dial(dial))
	o.PoolFIFO = true // so that what was closed as idle leaves the pool
	o.OnConnect, o.MaxRetries, o.DialerRetries = loadScripts, noRetries, 1
	o.DialTimeout, o.ReadTimeout, o.WriteTimeout, o.PoolTimeout = l.timeout, l.timeout, l.timeout, l.poolTimeout()
	o.ContextTimeoutEnabled, o.PoolSize, o.Protocol, o.DisableIdentity = true, poolSize, protocol, true
	o.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	alone := *o
	alone.OnConnect = nil
	l.pinger = redis.NewClient(&alone)
	client := redis.NewClient(o)
	client.AddHook(tellAll{})
	return client, nil
}

func (l *link) sentinel(url string) (redis.UniversalClient, error) {
	o, err := redis.ParseFailoverURL(url)
	if err != nil {
		return nil, err
	}
	l.useTLS(o.TLSConfig)
	o.MaxRetries, o.DialerRetries = noRetries, 1
	o.DialTimeout, o.ReadTimeout, o.WriteTimeout, o.PoolTimeout = l.timeout, l.timeout, l.timeout, l.poolTimeout()
	o.ContextTimeoutEnabled, o.PoolSize, o.Protocol, o.DisableIdentity = true, poolSize, protocol, true
	client := redis.NewFailoverClient(o)
	client.Options().OnConnect = loadScripts // not o's: the sentinels, who would get it too, know no scripts
	client.AddHook(tellAll{})
	return client, nil
}

// poolTimeout ends a wait for a connection before the caller's own time-out does: a full
// pool is not the silence of Redis.
func (l *link) poolTimeout() time.Duration { return l.timeout * 3 / 4 }

type dialer = func(ctx context.Context, network, addr string) (net.Conn, error)

func markDial(dial dialer) dialer {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := dial(ctx, network, addr)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", errDial, err)
		}
		return conn, nil
	}
}

// loadScripts runs on every new connection, in one round trip.
func loadScripts(ctx context.Context, cn *redis.Conn) error {
	_, err := cn.Pipelined(ctx, func(pipe redis.Pipeliner) error {
		for _, s := range scripts {
			s.Load(ctx, scriptQueue{pipe})
		}
		return nil
	})
	if err != nil {
		text, _, _ := strings.Cut(err.Error(), "\n") // which may quote a script
		return dialFault(text)
	}
	return nil
}

// tellAll tells a pipeline's commands that nothing was sent where Redis has refused the
// connection, as while it loads its file or wants another password. go-redis keeps that
// from them, or (a cluster's) gives each an error that looks like an answer to it.
type tellAll struct{}

func (tellAll) DialHook(next redis.DialHook) redis.DialHook          { return next }
func (tellAll) ProcessHook(next redis.ProcessHook) redis.ProcessHook { return next }

func (tellAll) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		err := next(ctx, cmds)
		if err == nil || !isReply(err) {
			return err
		}
		_, answer := err.(redis.Error) // itself: that of a connection wraps it
		if answer && slices.ContainsFunc(cmds, func(cmd redis.Cmder) bool { return cmd.Err() != nil }) {
			return err
		}
		err = dialFault(err.Error())
		for _, cmd := range cmds {
			cmd.SetErr(err)
		}
		return err
	}
}

// scriptQueue is a pipeline for Script.Load, which takes what a command has not answered yet
// for the script's hash.
type scriptQueue struct{ redis.Pipeliner }

var errQueued = errors.New("not sent yet")

func (q scriptQueue) ScriptLoad(ctx context.Context, source string) *redis.StringCmd {
	q.Pipeliner.ScriptLoad(ctx, source)
	waiting := redis.NewStringCmd(ctx)
	waiting.SetErr(errQueued)
	return waiting
}

// exec runs a pipeline within the link's time-out. The error is of the sending as
// a whole; each command keeps its own.
func (l *link) exec(p redis.Pipeliner) error {
	ctx, cancel := context.WithTimeout(context.Background(), l.timeout)
	defer cancel()
	cmds, err := p.Exec(ctx)
	if err == nil {
		return nil
	}
	if isReply(err) {
		l.barredBy(cmds)
		return nil
	}
	l.lost(err)
	return err
}

// execEach is exec for a pipeline whose commands are judged one by one: of a cluster
// some servers may have answered.
func (l *link) execEach(p redis.Pipeliner) error {
	if err := l.exec(p); !l.cluster {
		return err
	}
	return nil
}

// isReply reports whether an error is Redis's answer rather than the lack of one.
func isReply(err error) bool {
	var reply redis.Error
	return err == nil || errors.As(err, &reply)
}

// lost notes that Redis did not answer. Silence, or a connection that cannot be
// made again, means that it is away. The servers of a cluster are judged one by one
// (member), and a full pool says nothing.
func (l *link) lost(err error) {
	if l.cluster || l.away.Load() || errors.Is(err, redis.ErrPoolTimeout) {
		return
	}
	var timeout net.Error
	silent := errors.Is(err, context.DeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout()
	if silent || errors.Is(err, errDial) || ping(l.pinger, l.timeout/2) != nil {
		l.leave(err)
	}
}

// leave notes that Redis is away, and looks for it from then on.
func (l *link) leave(err error) {
	if l.away.CompareAndSwap(false, true) {
		l.log.Warn("redis is away", "error", err.Error())
		go l.probe()
	}
}

// unanswered notes a command that was not answered, unless ctx ended first: the
// impatience of one caller says nothing about Redis. It returns the error, then
// ErrUnavailable.
func (l *link) unanswered(ctx context.Context, err error) error {
	switch {
	case isReply(err):
	case ended(ctx):
		return engine.ErrUnavailable
	default:
		l.lost(err)
	}
	return err
}

// ended reports whether ctx has ended: a connection's time ends with it, and may say so
// before ctx does.
func ended(ctx context.Context) bool {
	end, bounded := ctx.Deadline()
	return ctx.Err() != nil || bounded && !time.Now().Before(end)
}

func ping(client redis.UniversalClient, timeout time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	return client.Ping(ctx).Err()
}

// probeEvery is how often an absent Redis is looked for.
const probeEvery = 100 * time.Millisecond

// probe waits for Redis to come back: first for a connection, where an attempt that is
// swallowed takes half a time-out, then for an answer, with all the time of a request.
func (l *link) probe() {
	for !l.closed.Load() {
		if (l.dial == nil || reachable(l.dial, l.timeout/2)) && l.serves(l.timeout) {
			l.away.Store(false)
			l.log.Info("redis is back")
			return
		}
		time.Sleep(probeEvery)
	}
}

// serves reports whether the pool that serves requests reaches Redis; of a cluster,
// whether any master answers.
func (l *link) serves(timeout time.Duration) bool {
	if l.cluster {
		return pingAny(l.client.(*redis.ClusterClient), timeout) == nil
	}
	return ping(l.client, timeout) == nil
}

// reachable reports whether Redis takes connections.
func reachable(dial func(context.Context) (net.Conn, error), timeout time.Duration) bool {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	conn, err := dial(ctx)
	if err != nil {
		return false
	}
	conn.Close()
	return true
}

// closeIdle closes connections that are of no use any more, for as long as the link
// is open.
func (l *link) closeIdle() {
	for ; !l.closed.Load(); time.Sleep(idleEvery) {
		l.conns.closeIdle(time.Now().Add(-l.timeout - idleAfter))
	}
}

func (l *link) close() {
	l.closed.Store(true)
	l.client.Close()
	l.pinger.Close()
}

// quiet drops go-redis's own log: what matters of it is logged by lost and probe.
type quiet struct{}

func (quiet) Printf(context.Context, string, ...any) {}

func init() { redis.SetLogger(quiet{}) }
