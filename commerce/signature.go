package commerce

import (
	"encoding/base64"
	"strings"
)

// maxSignature is the maximum size in bytes of a signature's picture.
// Spec: Limits, Quote signature.
const maxSignature = 2 << 20

const (
	signaturePrefix = "data:image/png;base64,"
	// pngHead is the signature of a PNG file and the beginning of its first chunk: IHDR of 13 bytes.
	pngHead = "\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR"
	// minSignature is the length of the head with the data and the checksum of IHDR.
	minSignature = len(pngHead) + 13 + 4
)

// ParseSignature returns the picture in a data URL, or nothing if it is no PNG or larger than
// maxSignature. The base64 is strict: padded, without spaces and line breaks.
func ParseSignature(text string) (png string) {
	encoded, prefixed := strings.CutPrefix(text, signaturePrefix)
	if !prefixed || len(encoded) > base64.StdEncoding.EncodedLen(maxSignature) || strings.ContainsAny(encoded, "\r\n") { // the decoder skips these
		return ""
	}
	picture, err := base64.StdEncoding.Strict().DecodeString(encoded)
	if err != nil || len(picture) < minSignature || len(picture) > maxSignature || !strings.HasPrefix(string(picture[:len(pngHead)]), pngHead) {
		return ""
	}
	return string(picture)
}
