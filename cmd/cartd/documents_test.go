package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// lowerLimit lowers the greatest size of a document for a test, which cannot be parallel.
func lowerLimit(t *testing.T, bytes int64) {
	t.Helper()
	was := maxDocument
	maxDocument = bytes
	t.Cleanup(func() { maxDocument = was })
}

// gzipped is a text packed.
func gzipped(t *testing.T, text io.Reader) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := io.Copy(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// spaces is n spaces without the memory for them.
func spaces(n int64) io.Reader { return io.LimitReader(blank{}, n) }

type blank struct{}

func (blank) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// The limit holds for what is read as for what is unpacked, and whether or not the
// size shows before.
func TestTheGreatestDocument(t *testing.T) {
	const limit = 3 * chunkSize / 2
	lowerLimit(t, limit)
	plain := func(n int64) []byte {
		text, err := io.ReadAll(spaces(n))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	for _, c := range []struct {
		name string
		data []byte
		want error
	}{
		{"at the limit", plain(limit), nil},
		{"a byte more", plain(limit + 1), errTooLarge},
		{"packed, at the limit", gzipped(t, spaces(limit)), nil},
		{"packed, a byte more", gzipped(t, spaces(limit+1)), errTooLarge},
		{"a bomb", gzipped(t, spaces(100*limit)), errTooLarge},
		{"several members", bytes.Repeat(gzipped(t, spaces(limit/2)), 3), errTooLarge},
		{"nothing", nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			for kind, open := range map[string]func(*testing.T, []byte) *os.File{"file": asFile, "pipe": asPipe} {
				read := int64(0)
				data, err := readAll(open(t, c.data), func(n int64) { read = n })
				if !errors.Is(err, c.want) || err == nil && c.want != nil {
					t.Errorf("%s: %d bytes, %v; want %v", kind, len(data), err, c.want)
				}
				if read > limit+chunkSize {
					t.Errorf("%s: %d bytes were read, want hardly more than %d", kind, read, limit)
				}
			}
		})
	}
}

func asFile(t *testing.T, data []byte) *os.File {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "store.json"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	if _, err := f.Write(data); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	return f
}

func asPipe(t *testing.T, data []byte) *os.File {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	go func() {
		defer w.Close()
		_, _ = w.Write(data) // broken where the reader has seen enough
	}()
	return r
}

// What lies on the disk, however large, is refused before it is read.
func TestAFileOfTenGigabytesIsNotRead(t *testing.T) {
	t.Parallel()
	f := asFile(t, []byte("{"))
	if err := f.Truncate(10 << 30); err != nil {
		t.Fatal(err)
	}
	_, err := readDocument(f.Name(), func(string, ...any) { t.Error("it was read") })
	if !errors.Is(err, errTooLarge) || !strings.Contains(err.Error(), f.Name()) || !strings.Contains(err.Error(), "1024 MiB") {
		t.Errorf("readDocument = %v, want the file and the limit", err)
	}
}

func TestADamagedPackingIsAnError(t *testing.T) {
	t.Parallel()
	whole := gzipped(t, strings.NewReader(strings.Repeat("{}", 1000)))
	for n := 2; n < len(whole); n++ {
		if data, err := readAll(asFile(t, whole[:n]), func(int64) {}); err == nil || !strings.HasPrefix(err.Error(), "the gzip file is cut off: ") {
			t.Errorf("cut to %d of %d bytes: %d bytes, %v; want it called cut off", n, len(whole), len(data), err)
		}
	}
	whole[len(whole)-5] ^= 1 // the checksum
	if _, err := readAll(asFile(t, whole), func(int64) {}); !errors.Is(err, gzip.ErrChecksum) || !strings.HasPrefix(err.Error(), "the gzip file is damaged ") {
		t.Errorf("a wrong checksum: %v", err)
	}
}
