package blackbox_test

import (
	"strings"
	"testing"

	"cartd/internal/redistest"
)

func TestTheListOfKeys(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	imports(t, r, storeFile(t, base(), func(d object) { d["api_keys"] = baseKeys()[:3] })).wantStores(t, "imported")
	makeKey(t, r, "made", "commerce:write,catalog:read")
	makeKey(t, r, "made\u2000admin\u202eactive", "sales:read")
	makeKey(t, r, " größer", "sales:read")
	revokeKey(t, r, "reader")
	f := runs(t, "key", "--redis", r.URL(), "--store", storeBase, "--list")
	want := strings.Join([]string{
		"NAME                           STATE    FROM       SCOPES",
		"storefront                     active   document   commerce:read,commerce:write",
		"everything                     active   document   " + strings.Join(allScopes, ","),
		"reader                         revoked  document   commerce:read",
		"made                           active   cartd key  commerce:write,catalog:read",
		`"made\u2000admin\u202eactive"  active   cartd key  sales:read`,
		`" größer"                      active   cartd key  sales:read`,
		"",
	}, "\n")
	if f.code != 0 || f.stdout != want || f.stderr != "" {
		t.Errorf("cartd %v\n got: exit %d\n%s%s\nwant:\n%s", f.args, f.code, f.stdout, f.stderr, want)
	}
}

func TestABadKeyCommandIsOneLine(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	imports(t, r, storeFile(t, base())).wantStores(t, "imported")
	makeKey(t, r, "made", "commerce:read")
	before := stored(t, r.Client())
	of := func(more ...string) []string { return append([]string{"--store", storeBase}, more...) }
	for _, c := range []struct {
		name  string
		args  []string
		words []string
		code  int
	}{
		{"no store", []string{"--list"}, []string{"--store"}, 2},
		{"unknown store", []string{"--store", unknownID, "--list"}, []string{"no such store", unknownID}, 1},
		{"unknown store to make one in", []string{"--store", unknownID, "--name", "n", "--scopes", "commerce:read"}, []string{"no such store"}, 1},
		{"unknown store to revoke in", []string{"--store", unknownID, "--revoke", "n"}, []string{"no such store"}, 1},
		{"nothing asked", of(), []string{"--name", "--list", "--revoke"}, 2},
		{"two things asked", of("--list", "--revoke", "made"), []string{"--list"}, 2},
		{"no scopes", of("--name", "n"), []string{"--scopes"}, 2},
		{"unknown scope", of("--name", "n", "--scopes", "commerce:read,commerce:fly"), []string{`"commerce:fly"`, "commerce:write"}, 2},
		{"scopes for a revocation", of("--revoke", "made", "--scopes", "commerce:write"), []string{"--name"}, 2},
		{"a name that is taken", of("--name", "made", "--scopes", "commerce:read"), []string{`"made"`, "unique"}, 1},
		{"a name that the document has", of("--name", "storefront", "--scopes", ""), []string{`"storefront"`, "unique"}, 1},
		{"a name that is no UTF-8", of("--name", "caf\xe9", "--scopes", "commerce:read"), []string{"--name", `caf\xe9`, "ASCII"}, 2},
		{"a name of two lines", of("--name", "a\nb", "--scopes", "commerce:read"), []string{"--name", `"a\nb"`, "control characters"}, 2},
		{"a name too long", of("--name", strings.Repeat("n", 256), "--scopes", "commerce:read"), []string{"--name", "255"}, 2},
		{"an unknown name to revoke", of("--revoke", "none"), []string{`"none"`, "--list"}, 1},
		{"an argument too many", of("--list", "x"), []string{"cartd key"}, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := runs(t, append([]string{"key", "--redis", r.URL()}, c.args...)...)
			f.wantLine(t, c.code, c.words...)
			if f.stdout != "" {
				t.Errorf("cartd %v says %q on stdout", f.args, f.stdout)
			}
		})
	}
	wantStored(t, r.Client(), before)
	file := storeFile(t, base(), func(d object) { d["api_keys"] = append(baseKeys(), apiKey("made", "secret-key-made-too")) })
	imports(t, r, file).wantOneLine(t, `"made"`, "rename")
}
