package blackbox_test

import (
	"encoding/json"
	"os"
	"os/user"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"cartd/internal/redistest"
)

// auditLine is a log line of what a command has changed.
type auditLine struct{ Msg, Command, Act, Store, On, User, Host string }

// Every command that changes something logs one line with user, host and what it changed, and the trail
// keeps it, also after the erasure of a guest and the drop of the store.
func TestAuditTrail(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	c := start(t, options{redis: r.URL(), stores: []string{storeFile(t, base(), unapproved)}}).client(t).withKey(keyAll)
	c.patch(c.newCart(), `{"email":"guest@example.com"}`).wantStatus(200)
	set := fileOf(t, []byte(`{"format":1,"store":{"id":"`+storeBase+`"},"set":{"settings":{"name":"Merged"}}}`))
	of := func(command string, args ...string) []string {
		return append([]string{command, "--redis", r.URL(), "--store", storeBase, "--operator", "grace"}, args...)
	}
	stores := func(args ...string) []string {
		return append([]string{"stores", "--redis", r.URL(), "--operator", "grace"}, args...)
	}
	rows := []struct {
		args    []string
		act, on string
	}{
		{[]string{"import", "--redis", r.URL(), "--operator", "grace", storeFile(t, base(), unapproved, setting("name", "Imported"))}, "import", "products"},
		{[]string{"import", "--redis", r.URL(), "--operator", "grace", "--merge", set}, "merge", "1 changed, 0 removed, revision "},
		{of("key", "--name", "made", "--scopes", "commerce:read"), "key made", "made (commerce:read)"},
		{of("key", "--revoke", "made"), "key revoked", "made"},
		{stores("--suspend", storeBase), "suspend", ""}, {stores("--closed", storeBase, "--message", "At noon"), "closed", "At noon"},
		{stores("--open", storeBase), "open", ""}, {stores("--resume", storeBase), "resume", ""}, {stores("--limit", storeBase, "500"), "limit", "500"},
		{of("orders", "--next", "10"), "numbers left out", "orders 1 to 9"}, {of("quotes", "--next", "3"), "numbers left out", "quotes 1 to 2"},
		{of("webhooks", "--resend"), "resend", "0 events"}, {of("customer", "--approve", carl), "approve", carl},
		{of("customer", "--approve", carl, "--group", groupTrade), "approve", carl + " (group " + groupTrade},
		{of("erase", "--customer", "guest@example.com", "--yes"), "erase", "carts: 1"}, {of("reindex"), "reindex", "added 0 entries, removed 1"},
	}
	if err := r.Client().ZAdd(t.Context(), "{"+storeBase+"}:names", redis.Z{Member: "nobody\n" + unknownID}).Err(); err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		f := runs(t, row.args...)
		var line auditLine
		if err := json.Unmarshal([]byte(f.audit), &line); f.code != 0 || err != nil || strings.Count(f.audit, "\n") != 1 {
			t.Fatalf("cartd %v: exit %d, %v, log %q\n%s%s", row.args, f.code, err, f.audit, f.stdout, f.stderr)
		}
		want := auditLine{"operator", "cartd " + row.args[0], row.act, storeBase, line.On, "grace", host}
		if line != want || !strings.Contains(line.On, row.on) || strings.Contains(line.On, "@") {
			t.Errorf("cartd %v\n got: %+v\nwant: %+v on %q, no address", row.args, line, want, row.on)
		}
	}
	for _, reads := range [][]string{of("key", "--list"), stores(), of("orders"), {"history", "--redis", r.URL(), "--all"}} {
		if f := runs(t, reads...); f.code != 0 || f.audit != "" {
			t.Errorf("cartd %v, which changes nothing: exit %d, log %q", reads, f.code, f.audit)
		}
	}
	if f := pipes(t, []byte("Merged\n"), "stores", "--redis", r.URL(), "--drop", storeBase); f.code != 0 || !strings.Contains(f.audit, `"act":"drop"`) {
		t.Fatalf("cartd stores --drop: exit %d, log %q\n%s%s", f.code, f.audit, f.stdout, f.stderr)
	}
	trail := strings.Split(strings.TrimSpace(operates(t, r, "history", "--all").wants(t, storeBase)), "\n")
	if len(trail) != len(rows)+3 { // a head, the rows, the drop, the document of the node
		t.Fatalf("%d lines, want %d:\n%s", len(trail), len(rows)+3, strings.Join(trail, "\n"))
	}
	me, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	wantWords(t, trail[1], "cartd stores", "drop", "Merged, ", me.Username, host) // without --operator
	for i, row := range rows {
		wantWords(t, trail[len(rows)+1-i], storeBase, "grace", host, "cartd "+row.args[0], row.act, row.on)
	}
	wantWords(t, trail[len(trail)-1], "cartd serve", "import", me.Username, host)
	operates(t, r, "history", "--all", "--store", storeBase).wantUsage(t, "--store and --all")
}

func wantWords(t *testing.T, text string, words ...string) {
	t.Helper()
	for _, word := range words {
		if !strings.Contains(text, word) {
			t.Errorf("got %s\nwant %q in it", text, word)
		}
	}
}

// An import that fails after it has written customers has an entry with its fault; one that was refused
// ahead of its writes has none.
func TestPartOfAnImportIsInTheTrail(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	if err := r.Client().Set(t.Context(), "{"+storeBase+"}:usage", "no hash", 0).Err(); err != nil {
		t.Fatal(err)
	}
	file := storeFile(t, base(), withDiscounts)
	operates(t, r, "import", "--if-revision", "other", file).wantOneLine(t, "revision")
	operates(t, r, "import", file).wantOneLine(t, "WRONGTYPE")
	trail := strings.Split(strings.TrimSpace(operates(t, r, "history", "--all").wants(t, "FAULT")), "\n")
	if len(trail) != 2 {
		t.Fatalf("got %q, want one entry", trail)
	}
	wantWords(t, trail[1], storeBase, "cartd import", "import", "customers", "WRONGTYPE")
}
