package storefile

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
)

// packer compresses its input with gzip. It never fails.
type packer struct {
	*gzip.Writer
	to bytes.Buffer
}

func newPacker() *packer {
	p := &packer{}
	p.Writer, _ = gzip.NewWriterLevel(&p.to, gzip.BestSpeed) // fails only for unknown levels
	return p
}

// packed ends the compression and returns all packed bytes.
func (p *packer) packed() []byte {
	p.Close()
	return p.to.Bytes()
}

// maxPacking is the maximum compression ratio of gzip.
const maxPacking = 1032

// unpack returns the unpacked bytes. It allocates their memory once: the last four bytes of a gzip
// text are the unpacked size, modulo 4 GiB.
func unpack(packed []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	size := unpackedSize(packed)
	text := bytes.NewBuffer(make([]byte, 0, size+bytes.MinRead))
	_, err = text.ReadFrom(r)
	return text.Bytes(), err
}

// unpackedSize is the size of a part before it was packed, as gzip's end tells it.
func unpackedSize(packed []byte) int {
	return min(int(binary.LittleEndian.Uint32(packed[len(packed)-4:])), maxPacking*len(packed))
}
