//go:build long

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

// An export passes cartd check. Its import into an empty Redis makes the same store.
func TestLongImportOfAnExportMakesTheSameStore(t *testing.T) {
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
func TestLongExportToALinkOrAPipe(t *testing.T) {
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
