package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"cartd/internal/commandline"
)

// gzipped returns a text, packed.
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

// spaces returns n spaces, which use no memory.
func spaces(n int64) io.Reader { return io.LimitReader(blank{}, n) }

type blank struct{}

func (blank) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// limitOf returns a limit in bytes.
func limitOf(bytes int64) documentLimit { return documentLimit{commandline.Bytes(bytes)} }

// readUnder reads a document's text under a limit.
func readUnder(t *testing.T, limit int64, f *os.File, progress func(bytes int)) (string, error) {
	t.Helper()
	memory, err := limitOf(limit).reserve()
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Munmap(memory)
	n, err := limitOf(limit).readInto(memory, f, progress)
	return string(memory[:n]), err
}

// The limit applies to plain and to unpacked bytes, and with or without a known file size.
func TestMaxDocument(t *testing.T) {
	t.Parallel()
	const limit = 3 * readSize / 2
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
		size int // -1: too large
	}{
		{"at the limit", plain(limit), limit},
		{"a byte more", plain(limit + 1), -1},
		{"packed, at the limit", gzipped(t, spaces(limit)), limit},
		{"packed, a byte more", gzipped(t, spaces(limit+1)), -1},
		{"a bomb", gzipped(t, spaces(100*limit)), -1},
		{"several members", bytes.Repeat(gzipped(t, spaces(limit/3)), 3), limit},
		{"several members, too large", bytes.Repeat(gzipped(t, spaces(limit/2)), 3), -1},
		{"nothing", nil, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			for kind, open := range map[string]func(*testing.T, []byte) *os.File{"file": asFile, "pipe": asPipe} {
				read := 0
				text, err := readUnder(t, limit, open(t, c.data), func(n int) { read = n })
				if errors.Is(err, errTooLarge) != (c.size < 0) || err == nil && (len(text) != c.size || strings.Trim(text, " ") != "") {
					t.Errorf("%s: %d bytes, %v; want %d", kind, len(text), err, c.size)
				}
				if read > limit+1 {
					t.Errorf("%s: %d bytes were read, want at most %d", kind, read, limit+1)
				}
			}
		})
	}
}

// A document is in memory once, in the reserved memory and not in Go's heap.
func TestADocumentIsReadWithoutACopy(t *testing.T) {
	const size = 32 << 20
	for name, data := range map[string][]byte{"plain": bytes.Repeat([]byte{' '}, size), "packed": gzipped(t, spaces(size))} {
		for kind, open := range map[string]func(*testing.T, []byte) *os.File{"file": asFile, "pipe": asPipe} {
			f := open(t, data)
			memory, err := limitOf(size).reserve()
			if err != nil {
				t.Fatal(err)
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			n, err := limitOf(size).readInto(memory, f, func(int) {})
			runtime.ReadMemStats(&after)
			if used := after.TotalAlloc - before.TotalAlloc; n != size || err != nil || used > size/8 {
				t.Errorf("%s %s: %d bytes, %v, with %d bytes of Go's heap; want %d with little", name, kind, n, err, used, size)
			}
			if err := syscall.Munmap(memory); err != nil {
				t.Error(err)
			}
		}
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
		_, _ = w.Write(data) // it fails if the reader stops early
	}()
	return r
}

// A file beyond the limit is refused without being read.
func TestAFileOfTenGigabytesIsNotRead(t *testing.T) {
	t.Parallel()
	f := asFile(t, []byte("{"))
	if err := f.Truncate(10 << 30); err != nil {
		t.Fatal(err)
	}
	_, err := limitOf(512<<20).read(f.Name(), func(string, ...any) { t.Error("it was read") })
	want := "store document " + f.Name() + ": is larger than 512MiB unpacked: --max-document raises the limit"
	if err == nil || err.Error() != want {
		t.Errorf("read = %v, want %s", err, want)
	}
}

func TestADamagedPackingIsAnError(t *testing.T) {
	t.Parallel()
	whole := gzipped(t, strings.NewReader(strings.Repeat("{}", 1000)))
	for n := 2; n < len(whole); n++ {
		if text, err := readUnder(t, 1<<20, asFile(t, whole[:n]), func(int) {}); err == nil || !strings.HasPrefix(err.Error(), "the gzip file is cut off: ") {
			t.Errorf("cut to %d of %d bytes: %d bytes, %v; want it called cut off", n, len(whole), len(text), err)
		}
	}
	whole[len(whole)-5] ^= 1 // the checksum
	if _, err := readUnder(t, 1<<20, asFile(t, whole), func(int) {}); !errors.Is(err, gzip.ErrChecksum) ||
		!strings.HasPrefix(err.Error(), "the gzip file is damaged ") {
		t.Errorf("a wrong checksum: %v", err)
	}
}
