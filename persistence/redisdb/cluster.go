package redisdb

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

func (c *Client) clusterClient(o *redis.ClusterOptions) redis.UniversalClient {
	o.Dialer, o.CredentialsProvider = c.dialer(o.TLSConfig), c.credentials
	o.OnConnect, o.MaxRetries, o.DialerRetries = c.onConnect, noRetries, 1
	o.DialTimeout, o.ReadTimeout, o.WriteTimeout, o.PoolTimeout = c.config.Timeout, c.config.Timeout, c.config.Timeout, c.poolTimeout()
	o.ContextTimeoutEnabled, o.PoolSize, o.PipelinePoolSize, o.Protocol, o.DisableIdentity = true, PoolSize, noPool, protocol, true
	o.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	o.NewClient = c.newClusterNode
	// go-redis pauses between redirections inside the pipeline of every master. -1 means no
	// pause; 0 would mean 10 ms to 1 s.
	o.MinRetryBackoff, o.MaxRetryBackoff = -1, -1
	o.ClusterStateReloadInterval = slotsKnown
	client := redis.NewClusterClient(o)
	client.AddHook(sentOnce{})
	go c.followSlots(client)
	return client
}

// ClusterServers counts the servers of a cluster that the client knows; 0 if it is no cluster.
func (c *Client) ClusterServers() (n int) {
	cluster, is := c.Redis.(*redis.ClusterClient)
	if !is {
		return 0
	}
	ctx, cancel := context.WithTimeout(background, c.config.Timeout)
	defer cancel()
	var mu sync.Mutex
	_ = cluster.ForEachShard(ctx, func(context.Context, *redis.Client) error { // 0 if no server of the cluster answers
		mu.Lock()
		defer mu.Unlock()
		n++
		return nil
	})
	return n
}

const (
	// slotsKnown is how long a slot table is trusted. A master that is cut off from the others
	// still answers, and redirects no client to its successor.
	slotsKnown = 5 * time.Second
	// reloadEvery is how often the slot table is read while a server is silent, because a
	// replica may take over. After MOVED go-redis reads it by itself, at most every 200 ms.
	reloadEvery = 500 * time.Millisecond
)

// followSlots reads the slot table again while a server is silent, until the client closes.
func (c *Client) followSlots(client *redis.ClusterClient) {
	for ; !c.closed.Load(); time.Sleep(reloadEvery) {
		if len(c.SilentServers()) > 0 {
			client.ReloadState(background)
		}
	}
}

// sentOnce stops a cluster's client from sending a command again, unless Redis redirected it
// (MOVED, ASK) or nothing was sent. That client ignores MaxRetries.
type sentOnce struct{}

func (sentOnce) DialHook(next redis.DialHook) redis.DialHook { return next }

func (sentOnce) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error { return next(ctx, unrepeated{cmd}) }
}

func (sentOnce) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		once := make([]redis.Cmder, len(cmds))
		for i, cmd := range cmds {
			once[i] = unrepeated{cmd}
		}
		return next(ctx, once)
	}
}

// unrepeated is a command that go-redis does not send again.
type unrepeated struct{ redis.Cmder }

func (unrepeated) NoRetry() bool { return true }

// masterFlusher finds the flusher of a key's master; nil if no master is known.
func (c *Client) masterFlusher(key string) *flusher {
	ctx, cancel := context.WithTimeout(background, c.config.Timeout)
	defer cancel()
	master, err := c.Redis.(*redis.ClusterClient).MasterForKey(ctx, key)
	if err != nil {
		return nil
	}
	c.flushers.Lock()
	defer c.flushers.Unlock()
	addr := master.Options().Addr
	f := c.flushers.of[addr]
	if f == nil || f.master != master { // a new master, or one that left and came back
		if f != nil {
			go f.close()
		}
		f = newFlusher(c, master)
		c.flushers.of[addr] = f
		c.failovers.Add(1)
	}
	return f
}

// flushToMasters makes a flusher for each master of the cluster at the start.
func (c *Client) flushToMasters() {
	ctx, cancel := context.WithTimeout(background, c.config.Timeout)
	defer cancel()
	// A master that cannot be reached now counts as a failover at its first request.
	_ = c.Redis.(*redis.ClusterClient).ForEachMaster(ctx, func(_ context.Context, master *redis.Client) error {
		c.flushers.Lock()
		defer c.flushers.Unlock()
		c.flushers.of[master.Options().Addr] = newFlusher(c, master)
		return nil
	})
}

// lostServer notes that the whole cluster is unreachable if no master answers.
func (c *Client) lostServer(err error) {
	if pingAny(c.Redis.(*redis.ClusterClient), c.config.Timeout/2) != nil {
		c.leave(err)
	}
}

// SilentServers lists the addresses of the cluster's servers that do not answer. A server that
// left the cluster is listed for about a minute more.
func (c *Client) SilentServers() (addrs []string) {
	c.silent.Range(func(m, _ any) bool {
		addrs = append(addrs, m.(*clusterNode).client.Options().Addr)
		return true
	})
	return addrs
}

// pingAny pings all masters of a cluster at once; nil if one answers.
func pingAny(cluster *redis.ClusterClient, timeout time.Duration) error {
	ctx, cancel := context.WithTimeout(background, timeout)
	defer cancel()
	var answered atomic.Bool
	err := cluster.ForEachMaster(ctx, func(_ context.Context, master *redis.Client) error {
		if ping(master, timeout) == nil { // with a time of its own: finding the masters may have used up ctx
			answered.Store(true)
		}
		return nil
	})
	if answered.Load() {
		return nil
	}
	return errors.Join(err, errSilent)
}

// clusterNode guards one server of a cluster. While the server is silent its commands fail at
// once, so that the stores of other servers go on.
type clusterNode struct {
	of      *Client
	client  *redis.Client
	silent  atomic.Bool
	pinging atomic.Bool // a ping is under way
}

// errSilent is a dial error: nothing was sent.
var errSilent = fmt.Errorf("%w: this server of the cluster is silent", ErrDial)

func (c *Client) newClusterNode(o *redis.Options) *redis.Client {
	m := &clusterNode{of: c, client: redis.NewClient(o)}
	m.client.AddHook(m)
	m.client.AddHook(refusedConnection{})
	return m.client
}

// refuses reports whether a command must not be sent. A silent server gets only the ping of a
// probe and the commands that open its connection.
func (m *clusterNode) refuses(ctx context.Context) bool {
	return m.silent.Load() && ctx.Value(probing{}) == nil
}

func (m *clusterNode) DialHook(next redis.DialHook) redis.DialHook { return next }

func (m *clusterNode) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		if m.refuses(ctx) {
			cmd.SetErr(errSilent)
			return errSilent
		}
		began := time.Now()
		err := next(ctx, cmd)
		m.note(began, err)
		return err
	}
}

func (m *clusterNode) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		if m.refuses(ctx) {
			for _, cmd := range cmds {
				cmd.SetErr(errSilent)
			}
			return errSilent
		}
		for _, cmd := range cmds { // a second sending keeps the error of the first
			cmd.SetErr(nil)
		}
		began := time.Now()
		err := next(ctx, cmds)
		m.note(began, err)
		return err
	}
}

// note judges the result of a sending. A deadline of the caller says nothing about the server;
// after a broken connection the server is pinged.
func (m *clusterNode) note(began time.Time, err error) {
	switch {
	case IsReply(err) || errors.Is(err, redis.ErrPoolTimeout) || m.silent.Load():
	case isDial(err) || time.Since(began) >= m.of.config.Timeout*3/4:
		m.leave(err)
	case m.pinging.CompareAndSwap(false, true):
		go func() {
			defer m.pinging.Store(false)
			if m.ping(m.of.config.Timeout/2) != nil {
				m.leave(err)
			}
		}()
	}
}

// leave notes that the server is silent, and starts to probe it.
func (m *clusterNode) leave(err error) {
	if !m.silent.CompareAndSwap(false, true) {
		return
	}
	m.of.log.Warn("a server of the redis cluster is silent", "addr", m.client.Options().Addr, "error", err.Error())
	m.of.silent.Store(m, nil)
	go m.probe()
	go m.of.lostServer(err)
}

// probing marks the context of the ping that finds out whether a silent server is back.
type probing struct{}

func (m *clusterNode) ping(timeout time.Duration) error {
	ctx, cancel := context.WithTimeout(context.WithValue(background, probing{}, true), timeout)
	defer cancel()
	return m.client.Ping(ctx).Err()
}

// pingAnyway is the number of failed probes until a ping through the pool, which finds out
// whether the server left the cluster. After more failures the pool would dial only once a
// second.
const pingAnyway = 100

func (m *clusterNode) probe() {
	o := m.client.Options()
	dial := func(ctx context.Context) (net.Conn, error) { return o.Dialer(ctx, o.Network, o.Addr) }
	for n := 0; !m.of.closed.Load(); n++ {
		time.Sleep(probeEvery)
		if !reachable(dial, m.of.config.Timeout/2) && n%pingAnyway > 0 {
			continue
		}
		err := m.ping(m.of.config.Timeout)
		switch {
		case err == nil:
			m.of.silent.Delete(m)
			m.silent.Store(false)
			m.of.log.Info("a server of the redis cluster is back", "addr", m.client.Options().Addr)
			return
		case errors.Is(err, redis.ErrClosed): // the server left the cluster
			m.of.silent.Delete(m)
			return
		}
	}
}
