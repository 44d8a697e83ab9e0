package blackbox_test

import (
	"context"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"

	"cartd/bench/shopper"
	"cartd/blackbox"
	"cartd/internal/redistest"
)

// The variables of a run whose journeys go through HAProxy. Package blackbox/scale sets them.
const (
	// envBalance is the balance of the router. Without it start starts one node.
	envBalance = "JOURNEYS_BALANCE"
	// envRedis is the URL of an empty Redis: one with sentinels, or a cluster. Each test empties it first,
	// so no two tests may run at a time.
	envRedis = "JOURNEYS_REDIS"
)

func route(t testing.TB, balance blackbox.Balance, nodes ...string) *node {
	t.Helper()
	router := blackbox.Route(t, balance, nodes...)
	n := at(t, router.Process, router.Addr)
	if !pollFor(backWithin, func() bool {
		a, err := n.way.Send(&shopper.Request{Method: "GET", Path: "/v1/ping"})
		return err == nil && a.Status == http.StatusOK
	}) {
		t.Fatalf("no answer through HAProxy:\n%s", router.Log)
	}
	return n
}

// startRouted starts three nodes behind a router in place of one. Its log is the first node's.
func startRouted(t testing.TB, balance blackbox.Balance, o options) *node {
	t.Helper()
	if url := os.Getenv(envRedis); url != "" {
		o.redis = url
		if _, used := emptied.LoadOrStore(t.Name(), true); !used {
			empty(t, url)
		}
	} else if o.redis == "embedded" { // it is inside one node
		o.redis = redistest.Mini(t).URL()
	}
	o.flags = append([]string{"--trusted-proxies", "127.0.0.0/8"}, o.flags...)
	var nodes [3]*node
	for i := range nodes {
		nodes[i] = listens(t, o.command())
	}
	n := route(t, balance, nodes[0].addr, nodes[1].addr, nodes[2].addr)
	n.Process = nodes[0].Process
	return n
}

// emptied has the names of the tests that have emptied the Redis of envRedis.
var emptied sync.Map

func empty(t testing.TB, url string) {
	t.Helper()
	flush := func(ctx context.Context, master *redis.Client) error { return master.FlushAll(ctx).Err() }
	ctx := context.Background()
	var err error
	if strings.Contains(url, "master_name=") {
		o, parsed := redis.ParseFailoverURL(url)
		if parsed != nil {
			t.Fatal(parsed)
		}
		client := redis.NewFailoverClient(o)
		defer client.Close()
		err = flush(ctx, client)
	} else {
		o, parsed := redis.ParseClusterURL(url)
		if parsed != nil {
			t.Fatal(parsed)
		}
		client := redis.NewClusterClient(o)
		defer client.Close()
		err = client.ForEachMaster(ctx, flush)
	}
	if err != nil {
		t.Fatal(err)
	}
}
