package blackbox_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"cartd/internal/redistest"
)

// imports runs cartd import on a Redis.
func imports(t *testing.T, r *redistest.Server, files ...string) finished {
	t.Helper()
	return runs(t, append([]string{"import", "--redis", r.URL()}, files...)...)
}

// pipes runs cartd with a standard input.
func pipes(t *testing.T, input []byte, args ...string) finished {
	t.Helper()
	return finish(t, "", nil, bytes.NewReader(input), 20*time.Second, args...)
}

// wantStores wants exit 0, and on stdout one line a store with these words. On a busy machine
// stderr may show the progress.
func (f finished) wantStores(t *testing.T, words ...string) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(f.stdout, "\n"), "\n")
	if f.code != 0 || len(lines) != len(words) {
		t.Fatalf("cartd %v\n got: exit %d\n%s%s\nwant: exit 0 and %d lines", f.args, f.code, f.stdout, f.stderr, len(words))
	}
	for i, word := range words {
		if !strings.HasPrefix(lines[i], "store ") || !strings.Contains(lines[i], word) {
			t.Errorf("cartd %v\n got: %s\nwant: %q in it", f.args, lines[i], word)
		}
	}
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func packed(t *testing.T, text []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func fileOf(t *testing.T, text []byte) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "store.json")
	if err := os.WriteFile(name, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestImportTakesFilesAndStandardInputPlainOrPacked(t *testing.T) {
	t.Parallel()
	plain := read(t, storeFile(t, base()))
	for _, c := range []struct {
		name, file string
		input      []byte
	}{
		{"file", fileOf(t, plain), nil},
		{"packed file", fileOf(t, packed(t, plain)), nil},
		{"standard input", "-", plain},
		{"packed standard input", "-", packed(t, plain)},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := redistest.Mini(t)
			pipes(t, c.input, "import", "--redis", r.URL(), c.file).wantStores(t, storeBase+` "Base Tools": imported, 15 products, 4 customers, 6 keys`)
			start(t, options{redis: r.URL()}).client(t).get("me").wantStatus(200)
		})
	}
}

// stored is every key in Redis with its value, except limits and carts.
func stored(t *testing.T, client *redis.Client) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, key := range client.Keys(context.Background(), "*").Val() {
		if strings.HasPrefix(key, "grants:") || strings.HasSuffix(key, "}:grants") {
			continue
		}
		text, err := client.Dump(context.Background(), key).Result()
		switch client.Type(context.Background(), key).Val() { // a miniredis dumps strings only
		case "set":
			text, err = fmt.Sprint(client.SMembersMap(context.Background(), key).Val()), nil
		case "hash":
			text, err = fmt.Sprint(client.HGetAll(context.Background(), key).Val()), nil
		case "list":
			text, err = fmt.Sprint(client.LRange(context.Background(), key, 0, -1).Val()), nil
		case "zset":
			text, err = fmt.Sprint(client.ZRangeWithScores(context.Background(), key, 0, -1).Val()), nil
		}
		if err != nil {
			t.Fatalf("%s: %v", key, err)
		}
		all[key] = text
	}
	return all
}

// wantStored fails if the keys or values in Redis have changed.
func wantStored(t *testing.T, client *redis.Client, before map[string]string) {
	t.Helper()
	if now := stored(t, client); !maps.Equal(now, before) {
		t.Errorf("Redis has changed: %d entries, had %d\n got: %q\nwant: %q", len(now), len(before), now, before)
	}
}

// An import of the same content in any form changes nothing.
func TestTheSameContentAgainIsUnchanged(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	file := storeFile(t, base())
	imports(t, r, file).wantStores(t, "imported")
	before := stored(t, r.Client())
	imports(t, r, file).wantStores(t, "unchanged")
	imports(t, r, fileOf(t, append([]byte("\n\t "), read(t, file)...))).wantStores(t, "unchanged")
	wantStored(t, r.Client(), before)
}

// makeKey makes a key of the base store with cartd key.
func makeKey(t *testing.T, r *redistest.Server, name, scopes string) string {
	t.Helper()
	f := runs(t, "key", "--redis", r.URL(), "--store", storeBase, "--name", name, "--scopes", scopes)
	key, rest, _ := strings.Cut(f.stdout, "\n")
	if f.code != 0 || key == "" || rest != "" || f.stderr != "" || strings.ContainsAny(key, " \t") {
		t.Fatalf("cartd %v\n got: exit %d\n%s%s\nwant: exit 0 and the key alone", f.args, f.code, f.stdout, f.stderr)
	}
	return key
}

// priceOf is the unit price of a product in a new cart; 0 if it cannot be added.
func (c client) priceOf(product string) int {
	c.t.Helper()
	a := c.post(c.newCart()+"/lines", addBody(product, "1"))
	if a.status != 201 {
		return 0
	}
	return int(a.cart(201).Lines[0].UnitPrice)
}

func revokeKey(t *testing.T, r *redistest.Server, name string) {
	t.Helper()
	if f := runs(t, "key", "--redis", r.URL(), "--store", storeBase, "--revoke", name); f.code != 0 || f.stdout+f.stderr != "" {
		t.Fatalf("cartd %v\n got: exit %d\n%s%s\nwant: exit 0 and nothing said", f.args, f.code, f.stdout, f.stderr)
	}
}
