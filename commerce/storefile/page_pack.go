package storefile

import (
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"sync"
)

// pageFormat is the first byte of a packed page. The text follows as raw deflate.
const pageFormat = 1

// Packer packs pages, one after another. The zero value is ready.
type Packer struct{ w *flate.Writer }

// Pack returns the page as it is stored.
func (p *Packer) Pack(page Page) []byte {
	out := bytes.NewBuffer([]byte{pageFormat})
	if p.w == nil {
		p.w, _ = flate.NewWriter(nil, flate.BestSpeed) // fails only for unknown levels
	}
	p.w.Reset(out)
	p.w.Write(page.Text)
	p.w.Close()
	return out.Bytes()
}

// inflaters are unused readers of deflate: each has a window of 32 KiB, many times a small page.
var inflaters = sync.Pool{New: func() any { return flate.NewReader(nil) }}

// errPageFormat means that a later release has written a page.
var errPageFormat = errors.New("the page has an unknown format")

// Unpack returns the text of a stored page. It is an error if that is not the text of the name.
func Unpack(name PageName, packed []byte) ([]byte, error) {
	if len(packed) == 0 || packed[0] != pageFormat {
		return nil, errPageFormat
	}
	r := inflaters.Get().(io.Reader)
	defer inflaters.Put(r)
	r.(flate.Resetter).Reset(bytes.NewReader(packed[1:]), nil)
	text, err := io.ReadAll(r)
	if err == nil && NameOf(text) != name {
		err = errors.New("it has another text than its name says")
	}
	if err != nil {
		return nil, fmt.Errorf("page %s: %w", name, err)
	}
	return text, nil
}
