package web

import (
	"bytes"
	"compress/gzip"
	"io"
	"regexp"
	"testing"
)

var (
	named    = regexp.MustCompile(`"(/desk/[^"?]+)`)
	language = regexp.MustCompile(`^/desk/(english|dutch|german)-`)
)

// The desk's first view takes 45 KiB at most, and all of it 75 KiB, packed, in any language.
func TestSizeOfTheDesk(t *testing.T) {
	files, err := Desk()
	if err != nil {
		t.Fatal(err)
	}
	sizes, texts, all := map[string]int{}, 0, 0
	var page []byte
	for _, file := range files {
		size := len(file.Packed)
		sizes[file.Path] = size
		if language.MatchString(file.Path) {
			texts = max(texts, size) // a reader loads one of them
			continue
		}
		all += size
		if file.Path == desk {
			unpacked, err := gzip.NewReader(bytes.NewReader(file.Packed))
			if err != nil {
				t.Fatal(err)
			}
			if page, err = io.ReadAll(unpacked); err != nil {
				t.Fatal(err)
			}
		}
	}
	first := sizes[desk]
	for _, name := range named.FindAllSubmatch(page, -1) {
		size, ok := sizes[string(name[1])]
		if !ok {
			t.Errorf("the desk's page names %s, which is not there", name[1])
		}
		first += size
	}
	const kib = 1 << 10
	t.Logf("the first view takes %d bytes, all views %d", first+texts, all+texts)
	if texts == 0 || first+texts > 45*kib {
		t.Errorf("the first view takes %d bytes, want at most %d", first+texts, 45*kib)
	}
	if all+texts > 75*kib {
		t.Errorf("all views take %d bytes, want at most %d", all+texts, 75*kib)
	}
}
