package storefile

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
)

// packer packs what is written to it with gzip. It never fails.
type packer struct {
	*gzip.Writer
	to bytes.Buffer
}

func newPacker() *packer {
	p := &packer{}
	p.Writer, _ = gzip.NewWriterLevel(&p.to, gzip.BestSpeed) // fails for other levels only
	return p
}

// packed ends the packing and returns the whole.
func (p *packer) packed() []byte {
	p.Close()
	return p.to.Bytes()
}

// maxPacking is how many bytes one packed byte can stand for.
const maxPacking = 1032

// unpack returns what was packed. It makes room for it once: the last four bytes of gzip
// are the size of what is packed, modulo 4 GiB.
func unpack(packed []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	size := min(int(binary.LittleEndian.Uint32(packed[len(packed)-4:])), maxPacking*len(packed))
	text := bytes.NewBuffer(make([]byte, 0, size+bytes.MinRead))
	_, err = text.ReadFrom(r)
	return text.Bytes(), err
}
