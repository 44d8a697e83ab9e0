package blackbox_test

const (
	salesOff     = `{"error":"Module not enabled: sales"}`
	unknownQuote = "bm90IGEgc2VjcmV0LCBub3QgYSBzZWNyZXQgYXQgYWw"

	// onePixel is a PNG as a data URL.
	onePixel = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg=="
	// signed is the part of an accept body that signs it.
	signed = `"signature":"` + onePixel + `"`
)
