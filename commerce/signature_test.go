package commerce

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/png"
	"strings"
	"testing"
)

// picture is a PNG of one pixel, padded to the given length.
func picture(t testing.TB, length int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 1, 1))); err != nil {
		t.Fatal(err)
	}
	if length == 0 {
		return b.Bytes()
	}
	return append(b.Bytes(), make([]byte, length-b.Len())...)
}

func dataURL(b []byte) string { return signaturePrefix + base64.StdEncoding.EncodeToString(b) }

// docs/api/quotes.md#by-token, SIGNATURE_INVALID.
func TestParseSignature(t *testing.T) {
	one := picture(t, 0)
	text := dataURL(one)
	encoded := strings.TrimPrefix(text, signaturePrefix)
	chunk := func(at int, b byte) string { p := bytes.Clone(one); p[at] = b; return dataURL(p) }
	for _, c := range []struct {
		name, text string
		ok         bool
	}{
		{"a picture", text, true},
		{"the largest", dataURL(picture(t, maxSignature)), true},
		{"one byte more", dataURL(picture(t, maxSignature+1)), false},
		{"three bytes more", dataURL(picture(t, maxSignature+3)), false},
		{"the head and IHDR", dataURL(one[:minSignature]), true},
		{"a part of IHDR", dataURL(one[:minSignature-1]), false},
		{"the eight bytes", dataURL(one[:8]), false},
		{"nothing", signaturePrefix, false},
		{"no data URL", encoded, false},
		{"empty", "", false},
		{"another type", "data:image/jpeg;base64," + encoded, false},
		{"another type of the same length", "data:image/pmg;base64," + encoded, false},
		{"capitals", "data:image/PNG;base64," + encoded, false},
		{"a parameter", "data:image/png;charset=utf-8;base64," + encoded, false},
		{"not base64", "data:image/png," + encoded, false},
		{"a space", signaturePrefix + encoded[:8] + " " + encoded[8:], false},
		{"a space in front", signaturePrefix + " " + encoded, false},
		{"a line break", signaturePrefix + encoded[:8] + "\n" + encoded[8:], false},
		{"a carriage return at the end", text + "\r", false},
		{"percent escapes", signaturePrefix + strings.ReplaceAll(encoded, "A", "%41"), false},
		{"the URL alphabet", signaturePrefix + strings.ReplaceAll(encoded, "/", "_"), strings.Count(encoded, "/") == 0},
		{"no padding", signaturePrefix + base64.RawStdEncoding.EncodeToString(one[:34]), false},
		{"padding too much", text + "=", false},
		{"bits after the end", signaturePrefix + base64.StdEncoding.EncodeToString(one[:34])[:45] + "Z==", false},
		{"a byte of the head", chunk(0, 0x88), false},
		{"a line break of the head", chunk(5, '\r'), false},
		{"IHDR of another length", chunk(11, 14), false},
		{"another first chunk", chunk(15, 'r'), false},
		{"a JPEG", dataURL(append([]byte("\xff\xd8\xff\xe0"), one...)), false},
		{"an SVG", dataURL([]byte("<svg xmlns='http://www.w3.org/2000/svg'>" + strings.Repeat(" ", 99))), false},
	} {
		got := ParseSignature(c.text)
		if (got != "") != c.ok || c.ok && dataURL([]byte(got)) != c.text {
			t.Errorf("%s: %d bytes; want a picture: %v", c.name, len(got), c.ok)
		}
	}
}

// FuzzParseSignature checks that an accepted picture is a PNG and encodes to the same data URL.
func FuzzParseSignature(f *testing.F) {
	f.Add(dataURL(picture(f, 0)))
	f.Add(signaturePrefix + "iVBORw0KGgo=")
	f.Add("data:image/png;base64,iVBORw0KGgoAAAANSUhEUg\n==")
	f.Fuzz(func(t *testing.T, text string) {
		got := ParseSignature(text)
		if got == "" {
			return
		}
		if dataURL([]byte(got)) != text || len(got) > maxSignature || got[12:16] != "IHDR" {
			t.Errorf("%q is taken for %q", text, got)
		}
	})
}
