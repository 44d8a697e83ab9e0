package persistence

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

func (l *link) clusterClient(url string) (redis.UniversalClient, error) {
	first, others, _ := strings.Cut(url, ",")
	o, err := redis.ParseClusterURL(first)
	if err != nil {
		return nil, err
	}
	for _, other := range strings.Split(others, ",") {
		if other == "" {
			continue
		}
		member, err := redis.ParseClusterURL(other)
		if err != nil {
			return nil, err
		}
		o.Addrs = append(o.Addrs, member.Addrs...)
	}
	o.OnConnect, o.MaxRetries, o.DialerRetries = loadScripts, noRetries, 1
	o.DialTimeout, o.ReadTimeout, o.WriteTimeout, o.PoolTimeout = l.timeout, l.timeout, l.timeout, l.poolTimeout()
	o.ContextTimeoutEnabled, o.PoolSize, o.Protocol, o.DisableIdentity = true, poolSize, protocol, true
	o.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	o.NewClient = l.newMember
	client := redis.NewClusterClient(o)
	client.AddHook(sentOnce{})
	return client, nil
}

// sentOnce keeps a cluster's client, which looks at no MaxRetries, from sending a
// pipeline again unless Redis has turned it away (MOVED, ASK) or nothing was sent.
type sentOnce struct{}

func (sentOnce) DialHook(next redis.DialHook) redis.DialHook          { return next }
func (sentOnce) ProcessHook(next redis.ProcessHook) redis.ProcessHook { return next }

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

// member guards one server of a cluster: while it is silent what is meant for it fails
// at once, so that the stores of the others go on.
type member struct {
	link   *link
	alone  redis.Options // of a connection that finds out whether it is back
	silent atomic.Bool
}

// errSilent is a dial error: nothing was sent.
var errSilent = fmt.Errorf("%w: this server of the cluster is silent", errDial)

func (l *link) newMember(o *redis.Options) *redis.Client {
	m := &member{link: l, alone: *o}
	m.alone.PoolSize, m.alone.OnConnect = 1, nil
	client := redis.NewClient(o)
	client.AddHook(m)
	return client
}

func (m *member) DialHook(next redis.DialHook) redis.DialHook { return next }

func (m *member) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		if m.silent.Load() {
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
		if m.silent.Load() {
			return errSilent // go-redis gives it to each command
		}
		began := time.Now()
		err := next(ctx, cmds)
		m.note(began, err)
		return err
	}
}

// note judges what a sending came to. A caller's impatience says nothing.
func (m *member) note(began time.Time, err error) {
	if isReply(err) || errors.Is(err, redis.ErrPoolTimeout) {
		return
	}
	if !isDial(err) && time.Since(began) < m.link.timeout*3/4 || !m.silent.CompareAndSwap(false, true) {
		return
	}
	m.link.log.Warn("a server of the redis cluster is silent", "addr", m.alone.Addr, "error", err.Error())
	go m.probe()
}

// longestProbe bounds the looking for a server that may have left the cluster for good.
const longestProbe = time.Minute

func (m *member) probe() {
	defer m.silent.Store(false)
	client := redis.NewClient(&m.alone)
	defer client.Close()
	for began := time.Now(); !m.link.closed.Load() && time.Since(began) < longestProbe; time.Sleep(probeEvery) {
		if ping(client, m.link.timeout/2) == nil {
			m.link.log.Info("a server of the redis cluster is back", "addr", m.alone.Addr)
			return
		}
	}
}

// pingAny asks all masters of a cluster at once.
func pingAny(cluster *redis.ClusterClient, timeout time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	var answered atomic.Bool
	err := cluster.ForEachMaster(ctx, func(ctx context.Context, master *redis.Client) error {
		if master.Ping(ctx).Err() == nil {
			answered.Store(true)
		}
		return nil
	})
	if answered.Load() {
		return nil
	}
	return errors.Join(err, errSilent)
}
