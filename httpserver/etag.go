package httpserver

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"strconv"

	"github.com/cespare/xxhash/v2"
	"github.com/valyala/fasthttp"

	"cartd/engine"
)

// An ETag is "<version>.<body hash>": the record's version, which If-Match compares,
// and the representation's, so that a 304 never stands for one that changed, also
// where an import, a tax or another pricing context changed it.

// tagDigits is the length of either part, in hexadecimal.
const tagDigits = 16

// setTag writes the ETag of the answer in x.out, and what it varies with.
func (x *exchange) setTag(version engine.Version) { x.setTagOf(version, xxhash.Sum64(x.out)) }

// setTagOf is setTag for an answer whose hash is known.
func (x *exchange) setTagOf(version engine.Version, hash uint64) {
	tag := append(x.tag[:0], '"')
	tag = appendHex(tag, uint64(version))
	tag = appendHex(append(tag, '.'), hash)
	x.tag = append(tag, '"')
	x.ctx.Response.Header.SetCanonical(headerETag, x.tag)
	x.vary(variesWithKey)
}

// answerTagged ends a read of what has no version: its ETag is the hash of its body.
func (x *exchange) answerTagged() error {
	x.tag = append(appendHex(append(x.tag[:0], '"'), xxhash.Sum64(x.out)), '"')
	x.ctx.Response.Header.SetCanonical(headerETag, x.tag)
	x.vary(variesWithKey)
	if x.unchanged() {
		return errNotModified
	}
	return nil
}

func appendHex(dst []byte, n uint64) []byte {
	var digits [8]byte
	binary.BigEndian.PutUint64(digits[:], n)
	return hex.AppendEncode(dst, digits[:])
}

// unchanged reports whether the client of a read holds the representation already
// (If-None-Match, compared weakly).
func (x *exchange) unchanged() bool {
	if !x.ctx.IsGet() && !x.ctx.IsHead() {
		return false
	}
	header := x.list(&x.sent.ifNoneMatch, fasthttp.HeaderIfNoneMatch)
	for tag := range tags(header) {
		if bytes.Equal(bytes.TrimPrefix(tag, weakTag), x.tag) {
			return true
		}
	}
	return anything(header)
}

// list is a list header, the lines of which count as one.
func (x *exchange) list(h *sentHeader, name string) []byte {
	if h.lines <= 1 {
		return h.first
	}
	return bytes.Join(x.ctx.Request.Header.PeekAll(name), []byte{','})
}

// anything reports whether a condition is the asterisk, which stands alone.
func anything(header []byte) bool { return string(bytes.TrimSpace(header)) == "*" }

var weakTag = []byte("W/")

// match reads If-Match; nil: not sent. Only the version of a tag counts; a weak tag
// and one that is none of ours match nothing.
func (x *exchange) match() *engine.Match {
	header := x.list(&x.sent.ifMatch, fasthttp.HeaderIfMatch)
	if len(header) == 0 {
		return nil
	}
	m := &engine.Match{Any: anything(header)}
	for tag := range tags(header) {
		if version, ok := versionOf(tag); ok {
			m.Versions = append(m.Versions, version)
		}
	}
	return m
}

func versionOf(tag []byte) (engine.Version, bool) {
	if len(tag) != 2*tagDigits+3 || tag[0] != '"' || tag[1+tagDigits] != '.' || tag[len(tag)-1] != '"' {
		return 0, false
	}
	for _, digits := range [][]byte{tag[1 : 1+tagDigits], tag[2+tagDigits : len(tag)-1]} {
		if len(bytes.Trim(digits, hexDigits)) > 0 {
			return 0, false
		}
	}
	n, err := strconv.ParseUint(string(tag[1:1+tagDigits]), 16, 64)
	return engine.Version(n), err == nil
}

// tags goes through the entity tags of a header.
func tags(header []byte) func(yield func([]byte) bool) {
	return func(yield func([]byte) bool) {
		for len(header) > 0 {
			tag, rest, _ := bytes.Cut(header, []byte{','})
			header = rest
			if tag = bytes.TrimSpace(tag); len(tag) > 0 && !yield(tag) {
				return
			}
		}
	}
}
