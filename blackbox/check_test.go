package blackbox_test

import (
	"strconv"
	"strings"
	"testing"

	"cartd/internal/redistest"
)

// Documents that may not be imported together are a fault, even if one of them has faults of its
// own. Spec: API key 2.
func TestCheckAndImportRefuseTheSameDocumentsBesideEachOther(t *testing.T) {
	t.Parallel()
	url := redistest.Mini(t).URL()
	file := storeFile(t, base())
	for fault, other := range map[string]string{
		"two documents are of store " + storeBase + ": give one": storeFile(t, base(), setting("name", "Other")),
		"belongs to another store too":                           storeFile(t, base(), setting("id", "51000000-0000-4000-8000-000000000099")),
	} {
		runs(t, "check", file, other).wantOneLine(t, fault)
		runs(t, "import", "--redis", url, file, other).wantOneLine(t, fault)
		bad := storeFile(t, base(), setting("colour", "red"))
		if f := runs(t, "check", bad, file, other); f.code != 1 || !strings.Contains(f.stderr, "store.colour: ") || !strings.Contains(f.stderr, fault) {
			t.Errorf("cartd %v\n got: exit %d\n%s\nwant: the fault of the first and %q", f.args, f.code, f.stderr, fault)
		}
	}
}

// --max-document bounds the document of check, import and serve, and its unpacked size.
func TestMaxDocumentFlag(t *testing.T) {
	t.Parallel()
	file := storeFile(t, base())
	size := len(read(t, file))
	under, at := "--max-document="+strconv.Itoa(size-1), "--max-document="+strconv.Itoa(size)
	fault := file + ": is larger than " + strconv.Itoa(size-1) + " unpacked: --max-document raises the limit"
	url := redistest.Mini(t).URL()
	for _, command := range [][]string{{"check"}, {"import", "--redis", url}} {
		runs(t, append(command, under, file)...).wantOneLine(t, fault)
		if f := runs(t, append(command, at, file)...); f.code != 0 {
			t.Errorf("cartd %v\n got: exit %d\n%s\nwant: exit 0", f.args, f.code, f.stderr)
		}
	}
	runs(t, "serve", "--redis", url, "--store", file, under).wantOneLine(t, fault)
	runs(t, "check", "--max-document", "1GB", file).wantUsage(t, `--max-document="1GB": write a size above zero in bytes, KiB, MiB or GiB, such as 512MiB`)
}

// Codes that can be guessed are a warning, no fault.
func TestCheckWarnsOfShortCodes(t *testing.T) {
	t.Parallel()
	file := storeFile(t, base(), withDiscounts)
	f := runs(t, "check", file)
	if f.code != 0 || !strings.Contains(f.stdout, "warning: ") || !strings.Contains(f.stdout, "below 8 characters can be guessed: ") || !strings.Contains(f.stdout, "Ten10") {
		t.Errorf("exit %d\n%s%s", f.code, f.stdout, f.stderr)
	}
	if f := runs(t, "check", "--json", file); f.code != 0 || !strings.Contains(f.stdout, `"warnings": [`) {
		t.Errorf("exit %d\n%s%s", f.code, f.stdout, f.stderr)
	}
}
