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

// deflaters and inflaters are idle writers and readers of deflate, which are costly to make.
var (
	deflaters = sync.Pool{New: func() any {
		w, _ := flate.NewWriter(nil, flate.BestSpeed) // fails only for unknown levels
		return w
	}}
	inflaters = sync.Pool{New: func() any { return flate.NewReader(nil) }}
)

// Pack returns the page as it is stored.
func (p *Page) Pack() []byte {
	out := bytes.NewBuffer([]byte{pageFormat})
	w := deflaters.Get().(*flate.Writer)
	defer deflaters.Put(w)
	w.Reset(out)
	w.Write(p.Text)
	w.Close()
	return out.Bytes()
}

// errPageFormat means that a later release has written a page.
var errPageFormat = errors.New("the page has an unknown format")

// UnpackPage returns the text of a stored page. It is an error if that is not the text of the name.
func UnpackPage(name PageName, packed []byte) ([]byte, error) {
	if len(packed) == 0 || packed[0] != pageFormat {
		return nil, errPageFormat
	}
	r := inflaters.Get().(io.Reader)
	defer inflaters.Put(r)
	r.(flate.Resetter).Reset(bytes.NewReader(packed[1:]), nil)
	text, err := io.ReadAll(r)
	if err == nil && NameOf(text) != name {
		err = errors.New("has another text than its name says")
	}
	if err != nil {
		return nil, fmt.Errorf("page %s: %w", name, err)
	}
	return text, nil
}
