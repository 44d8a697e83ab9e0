package redisdb

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
)

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
