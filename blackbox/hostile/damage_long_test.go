//go:build long

package hostile

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"cartd/internal/redistest"
)

// damages are what may become of a key. Each returns false if it does not apply to the key.
var damages = []struct {
	name string
	do   func(client *redis.Client, key string) bool
}{
	{"is of another type", func(client *redis.Client, key string) bool {
		kind := client.Type(ctx, key).Val()
		client.Del(ctx, key)
		if kind == "string" {
			return client.RPush(ctx, key, "x").Err() == nil
		}
		return client.Set(ctx, key, "x", 0).Err() == nil
	}},
	{"has lost its second half", func(client *redis.Client, key string) bool {
		value, err := client.Get(ctx, key).Bytes()
		return err == nil && client.Set(ctx, key, value[:len(value)/2], redis.KeepTTL).Err() == nil
	}},
	{"is noise", func(client *redis.Client, key string) bool {
		value, err := client.Get(ctx, key).Bytes()
		for i := range value {
			value[i] ^= byte(37*i + 1)
		}
		return err == nil && client.Set(ctx, key, value, redis.KeepTTL).Err() == nil
	}},
	{"has noise in every field", func(client *redis.Client, key string) bool {
		fields, err := client.HGetAll(ctx, key).Result()
		for name := range fields {
			client.HSet(ctx, key, name, "\xff{")
		}
		return err == nil && len(fields) > 0
	}},
	{"is missing", func(client *redis.Client, key string) bool { return client.Del(ctx, key).Err() == nil }},
}

var ctx = context.Background()

// Redis has damaged keys of a store: a faulty restore, another program, a changed byte. The node goes on,
// answers no wrong record, and serves the other store. When the key is back, so are the records.
func TestLongDamagedRedis(t *testing.T) {
	r := redistest.Real(t)
	h, client := enter(t, r.URL()), r.Client()
	all := []named{h.make(cart), h.make(order), h.make(quote), h.make(address)}
	before := map[string]string{}
	for _, n := range all {
		before[n.witness] = h.show(n)
	}
	other := carts + "/" + idIn(h.send("POST", carts, otherKey, "", "").body, "id")
	keys := client.Keys(ctx, "*"+ownersStore+"*").Val()
	slices.Sort(keys)
	if len(keys) < 10 {
		t.Fatalf("the store has the keys %v", keys)
	}
	for _, key := range keys {
		for _, damage := range damages {
			saved, err := client.Dump(ctx, key).Result()
			if err != nil { // it has expired, as entries of the limit do
				continue
			}
			life := max(0, client.PTTL(ctx, key).Val())
			if damage.do(client, key) {
				what := strings.Replace(key, ownersStore, "STORE", 1) + " " + damage.name
				h.endure(what, all[0], before)
				if a := h.send("PATCH", other, otherKey, "", `{"metadata":{"a":1}}`); a.status != http.StatusOK {
					t.Errorf("%s: the other store's write: %d %s", what, a.status, a.body)
				}
			}
			if err := client.RestoreReplace(ctx, key, life, saved).Err(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if h.faults == 0 {
		t.Error("no damaged key has made an answer fail: the damage is none")
	}
	for _, n := range all[1:3] { // the order and the quote; nothing has changed them
		h.eventually("the records are back", func() bool { return h.send("GET", n.witness, fullKey, owner, "").body == before[n.witness] })
	}
	select {
	case <-h.node.Exited:
		t.Fatalf("the node has ended:\n%s", h.node.Log)
	default:
	}
	if log := h.node.Log.String(); strings.Contains(log, "panic") {
		t.Errorf("the log has a panic:\n%s", log)
	}
}

// endure sends requests while a key is damaged. A read shows the record as it was, or none.
func (h *house) endure(what string, c named, before map[string]string) {
	h.t.Helper()
	for witness, want := range before {
		a := h.send("GET", witness, fullKey, owner, "")
		if a.status == http.StatusOK && witness != c.witness && witness != me+"/addresses" && string(bytes.TrimSpace([]byte(a.body))) != want {
			h.t.Errorf("%s: GET %s shows\n%s\nwant\n%s", what, witness, a.body, want)
		}
		h.wantSafe(what+": GET "+witness, a)
	}
	for _, write := range []struct{ method, path, body string }{
		{"POST", c.witness + "/lines", line}, {"PATCH", c.witness, `{"metadata":{"a":1}}`}, {"POST", carts, ""},
		{"POST", me + "/addresses", place}, {"GET", goods, ""}, {"GET", "/v1/api/stock/availability?product_ids[]=" + aStocked, ""},
		{"GET", orders, ""}, {"GET", quotes, ""}, {"GET", sales, ""},
	} {
		h.wantSafe(what+": "+write.method+" "+write.path, h.send(write.method, write.path, fullKey, owner, write.body))
	}
}

// wantSafe wants an answer that a client may get while its store is damaged: a success, a refusal, or one
// that says that it was the server.
func (h *house) wantSafe(what string, a reply) {
	h.t.Helper()
	if a.status >= 500 {
		h.faults++
	}
	if a.status >= 500 && a.status != http.StatusInternalServerError && a.status != http.StatusServiceUnavailable {
		h.t.Errorf("%s: %d %s", what, a.status, a.body)
	}
	if a.status == http.StatusInternalServerError && a.body != `{"message":"Server Error"}` {
		h.t.Errorf("%s: the answer shows more than it may: %s", what, a.body)
	}
}

// eventually wants a condition within ten seconds.
func (h *house) eventually(what string, is func() bool) {
	h.t.Helper()
	for end := time.Now().Add(10 * time.Second); !is(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			h.t.Fatalf("not within 10 s: %s", what)
		}
	}
}
