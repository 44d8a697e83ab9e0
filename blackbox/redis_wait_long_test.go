//go:build long

package blackbox_test

import (
	"net"
	"path/filepath"
	"strings"
	"testing"

	"cartd/internal/redistest"
)

// Every command that writes waits with --redis-wait for the replicas: without them it ends with status 1
// although it is done, and its repetition with them ends with 0.
func TestLongCommandsWaitForReplicas(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t, "--repl-diskless-sync-delay", "0")
	imports(t, r, storeFile(t, base())).wantStores(t, storeBase)
	set := fileOf(t, []byte(`{"format":1,"store":{"id":"`+storeBase+`"},"set":{"settings":{"name":"Merged"}}}`))
	of := func(command string, args ...string) []string {
		return append([]string{command, "--redis", r.URL(), "--redis-wait", "1", "--store", storeBase}, args...)
	}
	stores := func(args ...string) []string {
		return append([]string{"stores", "--redis", r.URL(), "--redis-wait", "1"}, args...)
	}
	commands := [][]string{
		{"import", "--redis", r.URL(), "--redis-wait", "1", storeFile(t, base(), setting("name", "Imported"))},
		{"import", "--redis", r.URL(), "--redis-wait", "1", "--merge", set},
		of("key", "--name", "made", "--scopes", "commerce:read"),
		stores("--suspend", storeBase), stores("--resume", storeBase), stores("--limit", storeBase, "500"),
		of("erase", "--customer", adaEmail, "--yes"), of("orders", "--next", "10"), of("quotes", "--next", "10"), of("webhooks", "--resend"),
		of("orders", "--archive-before", "2020-01-01", "--out", filepath.Join(t.TempDir(), "none.jsonl")), // archives nothing, and waits
	}
	for _, args := range commands {
		f := runs(t, append(args, "--redis-timeout", "150ms")...)
		if f.code != 1 || !strings.Contains(f.stderr, "done, but a failover may lose it: 0 of 1 replicas have acknowledged: when they are back repeat") {
			t.Errorf("cartd %v without a replica: exit %d\n%s%s", args, f.code, f.stdout, f.stderr)
		}
	}
	operates(t, r, "key", "--store", storeBase, "--list").wants(t, "made")
	operates(t, r, "stores").wants(t, "Merged")
	host, port, err := net.SplitHostPort(r.Addr())
	if err != nil {
		t.Fatal(err)
	}
	replica := redistest.Real(t, "--replicaof", host, port)
	for _, args := range append(commands[:2:2], of("key", "--revoke", "made"), commands[6]) {
		if f := runs(t, args...); f.code != 0 {
			t.Errorf("cartd %v with a replica: exit %d\n%s%s", args, f.code, f.stdout, f.stderr)
		}
	}
	poll(t, "the replica has the store", func() bool { return len(keysOf(replica.Client(), storeBase)) > 0 })
	for _, name := range []string{"import", "key", "codes", "stores", "customer", "erase", "reindex", "orders", "quotes", "webhooks"} {
		runs(t, "help", name).wants(t, "--redis-wait")
	}
	operates(t, r, "key", "--store", storeBase, "--redis-wait", "-1", "--list").wantUsage(t, "--redis-wait must be at least 0")
}

// A start with documents and --redis-wait waits while the replicas have not acknowledged its import.
func TestLongStartWaitsForReplicas(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t, "--repl-diskless-sync-delay", "0")
	n := waits(t, "--redis", r.URL(), "--redis-wait", "1", "--redis-timeout", "300ms", "--store", storeFile(t, base()))
	host, port, err := net.SplitHostPort(r.Addr())
	if err != nil {
		t.Fatal(err)
	}
	redistest.Real(t, "--replicaof", host, port)
	poll(t, "the node to serve", func() bool { return n.Log.Address("listening") != "" })
	n.client(t).get("catalog/products").wantStatus(200)
}
