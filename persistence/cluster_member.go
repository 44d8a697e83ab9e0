package persistence

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
)

// member guards one server of a cluster: while it is silent what is meant for it fails
// at once, so that the stores of the others go on.
type member struct {
	link   *link
	client *redis.Client
	silent atomic.Bool
	asked  atomic.Bool // whether it is there
}

// errSilent is a dial error: nothing was sent.
var errSilent = fmt.Errorf("%w: this server of the cluster is silent", errDial)

func (l *link) newMember(o *redis.Options) *redis.Client {
	m := &member{link: l, client: redis.NewClient(o)}
	m.client.AddHook(m)
	m.client.AddHook(tellAll{})
	return m.client
}

// refuses reports whether nothing is to be sent: a silent server gets only what looks for
// it, a ping and the beginning of its connection.
func (m *member) refuses(ctx context.Context) bool {
	return m.silent.Load() && ctx.Value(probing{}) == nil
}

func (m *member) DialHook(next redis.DialHook) redis.DialHook { return next }

func (m *member) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
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

func (m *member) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		if m.refuses(ctx) {
			return errSilent // go-redis gives it to each command
		}
		for _, cmd := range cmds { // sent for the second time, with the error of the first
			cmd.SetErr(nil)
		}
		began := time.Now()
		err := next(ctx, cmds)
		m.note(began, err)
		return err
	}
}

// note judges what a sending came to. A caller's impatience says nothing, and of a
// connection that breaks the server is asked.
func (m *member) note(began time.Time, err error) {
	switch {
	case isReply(err) || errors.Is(err, redis.ErrPoolTimeout) || m.silent.Load():
	case isDial(err) || time.Since(began) >= m.link.timeout*3/4:
		m.leave(err)
	case m.asked.CompareAndSwap(false, true):
		go func() {
			defer m.asked.Store(false)
			if m.ping(m.link.timeout/2) != nil {
				m.leave(err)
			}
		}()
	}
}

// leave notes that the server is silent, and looks for it from then on.
func (m *member) leave(err error) {
	if !m.silent.CompareAndSwap(false, true) {
		return
	}
	m.link.log.Warn("a server of the redis cluster is silent", "addr", m.client.Options().Addr, "error", err.Error())
	m.link.silent.Store(m, nil)
	go m.probe()
	go m.link.lostServer(err)
}

// probing marks the context of the ping that finds out whether a silent server is back.
type probing struct{}

func (m *member) ping(timeout time.Duration) error {
	ctx, cancel := context.WithTimeout(context.WithValue(background, probing{}, true), timeout)
	defer cancel()
	return m.client.Ping(ctx).Err()
}

// pingAnyway is how many probes that find no connection come before a ping that tells
// whether the server has left the cluster. Too many failures and the pool looks for it
// only once a second.
const pingAnyway = 100

func (m *member) probe() {
	o := m.client.Options()
	dial := func(ctx context.Context) (net.Conn, error) { return o.Dialer(ctx, o.Network, o.Addr) }
	for n := 0; !m.link.closed.Load(); n++ {
		time.Sleep(probeEvery)
		if !reachable(dial, m.link.timeout/2) && n%pingAnyway > 0 {
			continue
		}
		err := m.ping(m.link.timeout)
		switch {
		case err == nil:
			m.link.silent.Delete(m)
			m.silent.Store(false)
			m.link.log.Info("a server of the redis cluster is back", "addr", m.client.Options().Addr)
			return
		case errors.Is(err, redis.ErrClosed): // it has left the cluster
			m.link.silent.Delete(m)
			return
		}
	}
}
