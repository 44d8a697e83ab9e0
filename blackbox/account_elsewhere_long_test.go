//go:build long

package blackbox_test

import (
	"encoding/json"
	"fmt"
	"sync"
	"testing"

	"cartd/internal/redistest"
)

// docs/api/customers.md#accounts-that-live-elsewhere. Sixteen servers on two nodes send an account at once
// while one of the nodes is killed again and again: each external id has one account, which is the one of
// its address, and one request made it.
func TestLongSimultaneousPutsMakeOneAccount(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	file := storeFile(t, base(), elsewhere, setting("rate_limit_per_minute", 1_000_000))
	steady, killed := start(t, options{redis: r.URL(), stores: []string{file}}), start(t, options{redis: r.URL(), stores: []string{file}})
	for round := range 12 {
		nodes := [2]client{steady.client(t).withKey(keyLogin), killed.client(t).withKey(keyLogin)}
		path, made := fmt.Sprintf("contacts/by-external-id/idp%%7C%d", round), 0
		ids := map[string]bool{}
		var dies sync.Once // with the first answer, while other requests are served
		answered := together(16, func(i int) outcome {
			got := nodes[i%2].outcome("PUT", path, fmt.Sprintf(`{"email":"c%d@example.com","first_name":"N%d"}`, round, i%3))
			if round%3 == 1 {
				dies.Do(killed.Kill)
			}
			return got
		})
		lost := false
		for _, o := range answered {
			if lost = lost || o.err != nil; o.err != nil {
				if round%3 != 1 {
					t.Fatal(o.err)
				}
				continue
			}
			var account struct{ ID string }
			if err := json.Unmarshal(o.body, &account); err != nil || o.status != 200 && o.status != 201 {
				t.Fatalf("round %d: %v", round, o.answer)
			}
			if ids[account.ID] = true; o.status == 201 {
				made++
			}
		}
		if len(ids) != 1 || made != 1 && (!lost || made > 1) {
			t.Errorf("round %d: %d accounts, %d requests made one", round, len(ids), made)
		}
		if round%3 == 1 {
			killed = start(t, options{redis: r.URL(), stores: []string{file}})
		}
	}
}

// Tokens that are ended on one node have ended on the other, also those that are made at the same time.
func TestLongTokensEndOnAllNodes(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	file := storeFile(t, base(), elsewhere, setting("rate_limit_per_minute", 1_000_000))
	var nodes [2]client
	for i := range nodes {
		nodes[i] = start(t, options{redis: r.URL(), stores: []string{file}}).client(t)
	}
	server := [2]client{nodes[0].withKey(keyLogin), nodes[1].withKey(keyLogin)}
	var account struct{ ID string }
	if err := json.Unmarshal(server[0].request("PUT", "contacts/by-external-id/x", `{"email":"x@example.com"}`).body, &account); err != nil {
		t.Fatal(err)
	}
	tokens := "contacts/" + account.ID + "/tokens"
	issue := func(c client) string {
		var issued struct{ Token string }
		if err := json.Unmarshal(c.post(tokens, "").body, &issued); err != nil {
			t.Error(err)
		}
		return issued.Token
	}
	for range 10 {
		var all []string
		for _, c := range server {
			all = append(all, issue(c))
		}
		for _, token := range all { // both nodes have them in memory
			for _, c := range nodes {
				c.withKey(keyAll).withToken(token).get("contacts/me").wantStatus(200)
			}
		}
		server[1].remove(tokens).wantStatus(204)
		for _, token := range all {
			for _, c := range nodes {
				c.withKey(keyAll).withToken(token).get("contacts/me").wantStatus(401)
				c.withKey(keyAll).withToken(token).patch("contacts/me", `{"phone":"1"}`).wantStatus(401)
			}
		}
	}
}
