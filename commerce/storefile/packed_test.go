package storefile

import (
	"bytes"
	"strings"
	"testing"

	"cartd/internal/strictjson"
)

func packedText(text []byte) []byte {
	p := newPacker()
	p.Write(text)
	return p.packed()
}

func TestUnpack(t *testing.T) {
	for _, text := range []string{"", "x", minimal, full(t), strings.Repeat(full(t), 100), strings.Repeat(" ", 1<<20)} {
		if got, err := unpack(packedText([]byte(text))); err != nil || string(got) != text {
			t.Errorf("%.40q of %d bytes is unpacked as %d bytes, %v", text, len(text), len(got), err)
		}
	}
}

func TestUnpackOfDamagedTexts(t *testing.T) {
	text := full(t)
	whole := packedText([]byte(text))
	for n := 0; n < len(whole); n += 5 {
		if got, err := unpack(whole[:n]); err == nil {
			t.Fatalf("cut to %d of %d bytes: %d bytes, want an error", n, len(whole), len(got))
		}
		damaged := bytes.Clone(whole)
		damaged[n] ^= 0x80
		if got, err := unpack(damaged); err == nil && string(got) != text {
			t.Fatalf("another byte %d: %d bytes, want an error", n, len(got))
		}
	}
}

// The memory for an unpacked text is allocated once.
func TestUnpackAllocatesATextOnce(t *testing.T) {
	const size = 32 << 20
	packed := packedText(bytes.Repeat([]byte{' '}, size))
	if used := allocated(func() { unpack(packed) }); used > size+size/8 {
		t.Errorf("%d bytes allocated for a text of %d", used, size)
	}
}

// The canonical text of a document is never in memory as a whole.
func TestCanonicalHoldsNoCopyOfTheDocument(t *testing.T) {
	text := []byte(`{"products":[` + strings.Repeat(`{"b":["x",1],"a":"y"},`, 1<<20) + `{}]}`)
	root, err := strictjson.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if used := allocated(func() { canonical(root) }); used > uint64(len(text)/8) {
		t.Errorf("%d bytes allocated for a document of %d", used, len(text))
	}
}
