package blackbox_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"cartd/internal/redistest"
)

// exports returns a store's document.
func exports(t *testing.T, r *redistest.Server, store string) string {
	t.Helper()
	f := runs(t, "export", "--redis", r.URL(), "--store", store)
	if f.code != 0 || f.stderr != "" {
		t.Fatalf("cartd %v\n got: exit %d\n%s\nwant: exit 0", f.args, f.code, f.stderr)
	}
	return f.stdout
}

// fullStore has every part of a store that an export includes.
func fullStore(document object) {
	withPassword(ada, adaPassword)(document)
	customer := findByID(document["customers"].(list), ada)
	customer["phone"], customer["external_id"] = "+31 6 \"1\" <&> é漢", "x y"
	findByID(document["products"].(list), hammer)["metadata"] = object{"lines": "x\u2028y\r\n"}
	customer["addresses"] = list{
		object{"type": "billing", "is_default": true, "label": "Home", "name": "Ada", "street": "One 1", "postal_code": "1", "city": "A",
			"country": "NL", "phone": "1"},
		object{"id": "f0000000-0000-4000-8000-000000000001", "name": "Ada", "street": "Two 2", "postal_code": "2", "city": "B", "country": "BE"},
	}
	findByID(document["customers"].(list), bob)["approved"] = false
	document["discounts"] = list{object{"id": unknownID, "name": "Welcome", "kind": "order", "code": "W", "value": object{"type": "percent", "percent": "10"}}}
	document["shipping_methods"] = list{object{"id": unknownID, "name": "Parcel", "price_amount": 695, "tax": "standard"}}
	document["redirects"] = list{object{"from": "/old", "to": "/new"}}
	exPolicy(document)
}

// An export passes cartd check. Its import into an empty Redis makes the same store.
func TestImportOfAnExportMakesTheSameStore(t *testing.T) {
	t.Parallel()
	first, second := redistest.Real(t), redistest.Real(t)
	imports(t, first, storeFile(t, base(), fullStore)).wantStores(t, "imported")
	made := makeKey(t, first, "made", "commerce:read,commerce:write")
	revokeKey(t, first, "reader")
	text := exports(t, first, storeBase)
	for _, secret := range append([]string{made}, secrets...) {
		if strings.Contains(text, secret) {
			t.Errorf("the export shows %q", secret)
		}
	}
	file := fileOf(t, []byte(text))
	if f := runs(t, "check", file); f.code != 0 {
		t.Fatalf("cartd %v\n got: exit %d\n%s", f.args, f.code, f.stderr)
	}
	imports(t, second, file).wantStores(t, "15 products, 4 customers, 7 keys")
	if again := exports(t, second, storeBase); again != text {
		t.Errorf("exported again:\n%s\nwant, byte for byte:\n%s", again, text)
	}
	a, b := start(t, options{redis: first.URL()}).client(t), start(t, options{redis: second.URL()}).client(t)
	for _, key := range []string{keyShop, keyAll, keyReader, keyWriter, keyNothing, keyRevoked, made, "secret-key-wrong"} {
		want := a.withKey(key).get("me")
		b.withKey(key).get("me").want(want.status, string(want.body))
	}
	for _, token := range []string{"", tokenAda, tokenTess, tokenBob, tokenQuinn, tokenExpired} {
		for _, product := range []string{hammer, drill, mystery, paper} {
			if got, want := b.withToken(token).priceOf(product), a.withToken(token).priceOf(product); got != want {
				t.Errorf("with token %q product %s costs %d, want %d", token, product, got, want)
			}
		}
	}
	imports(t, first, file).wantStores(t, storeBase) // the backup of a store is imported into that store
	if again := exports(t, first, storeBase); again != text {
		t.Errorf("exported after the export was imported:\n%s\nwant, byte for byte:\n%s", again, text)
	}
	imports(t, first, storeFile(t, base(), fullStore)).wantStores(t, "imported")
	start(t, options{redis: first.URL()}).client(t).withKey(made).get("me").wantStatus(200) // it is still a key of cartd key
}

// --out writes to a link's target and to a pipe, and replaces neither.
func TestExportToALinkOrAPipe(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	imports(t, r, storeFile(t, base())).wantStores(t, "imported")
	dir := t.TempDir()
	file, link, pipe := filepath.Join(dir, "out.json"), filepath.Join(dir, "link"), filepath.Join(dir, "pipe")
	if err := errors.Join(os.WriteFile(file, []byte("before"), 0o600), os.Symlink("out.json", link), syscall.Mkfifo(pipe, 0o600)); err != nil {
		t.Fatal(err)
	}
	reader, err := os.OpenFile(pipe, os.O_RDWR, 0) // so that opening it does not wait for a writer
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	want := exports(t, r, storeBase)
	for _, out := range []string{link, pipe} {
		if f := runs(t, "export", "--redis", r.URL(), "--store", storeBase, "--out", out); f.code != 0 || f.stdout+f.stderr != "" {
			t.Errorf("cartd %v\n got: exit %d\n%s%s", f.args, f.code, f.stdout, f.stderr)
		}
	}
	if info, err := os.Lstat(link); err != nil || info.Mode().Type() != os.ModeSymlink || string(read(t, file)) != want {
		t.Errorf("the link is %v, %v, and its file has %s", info, err, read(t, file))
	}
	if info, err := os.Lstat(pipe); err != nil || info.Mode().Type() != os.ModeNamedPipe {
		t.Fatalf("the pipe is %v, %v", info, err)
	}
	got := make([]byte, len(want))
	if _, err := io.ReadFull(reader, got); err != nil || string(got) != want {
		t.Errorf("the pipe has %s, %v", got, err)
	}
}

// Secrets of webhooks are in clear: an export to standard output says so, a file is its owner's alone,
// and --without-secrets leaves them out.
func TestExportSaysThatItHasSecrets(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	hooks := list{object{"url": "https://example.com/", "secret": secret, "events": list{"order.placed"}}}
	imports(t, r, storeFile(t, base(), setting("webhooks", hooks))).wantStores(t, storeBase)
	args := []string{"export", "--redis", r.URL(), "--store", storeBase}
	open := runs(t, args...)
	const note = "the document has 1 secret of webhooks or of batches of codes in clear text"
	if open.code != 0 || !strings.Contains(open.stdout, secret) || !strings.Contains(open.stderr, note) {
		t.Errorf("an export: exit %d, %s\nwant the secret, and a note", open.code, open.stderr)
	}
	without := runs(t, append(args, "--without-secrets")...)
	if without.code != 0 || without.stderr != "" || strings.Contains(without.stdout, "whsec_") ||
		!strings.Contains(without.stdout, `"url": "https://example.com/"`) {
		t.Errorf("an export without secrets: exit %d, %s\n%s", without.code, without.stderr, without.stdout)
	}
	file := filepath.Join(t.TempDir(), "store.json")
	if f := runs(t, append(args, "--out", file)...); f.code != 0 {
		t.Fatal(f)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file has the mode %v, want 0600 (%v)", info.Mode(), err)
	}
}
