package httpserver

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"strconv"

	"github.com/cespare/xxhash/v2"
	"github.com/valyala/fasthttp"

	"cartd/engine"
)

// An ETag is "<version>.<body hash>". If-Match compares the version of the record. The hash of the
// body changes with everything shown, for instance after an import, so that a 304 never stands for
// a representation that changed.

// tagDigits is the length of the version and of the hash, in hexadecimal digits.
const tagDigits = 16

// setTag writes the ETag of the answer in x.out, and Vary.
func (x *exchange) setTag(version engine.Version) {
	x.writeTag(append(appendHex(append(x.tag[:0], '"'), uint64(version)), '.'), x.out)
	x.vary(variesWithKey)
}

// writeTag writes an ETag: its begin, and the hash of the body.
func (x *exchange) writeTag(begin, body []byte) {
	x.tag = append(appendHex(begin, xxhash.Sum64(body)), '"')
	x.ctx.Response.Header.SetCanonical(headerETag, x.tag)
}

// answerReply ends an answer about a reply: it sets the mark of a replay and the ETag.
func (x *exchange) answerReply(reply *engine.Reply, err error) error {
	x.setReplayed(reply.Replayed)
	return x.answerVersion(reply.Version(), err)
}

// answerVersion ends an answer about a version of a record.
func (x *exchange) answerVersion(version engine.Version, err error) error {
	x.setTag(version)
	if err == nil {
		return x.ifChanged()
	}
	return err
}

// answerTagged ends a read of a resource without a version: its ETag is the hash of its body.
func (x *exchange) answerTagged() error {
	x.writeTag(append(x.tag[:0], '"'), x.out)
	x.vary(variesWithKey)
	return x.ifChanged()
}

// ifChanged is errNotModified if the client of a read has the current representation already.
func (x *exchange) ifChanged() error {
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

// unchanged reports whether the client of a read has the current representation already
// (If-None-Match, compared weakly).
func (x *exchange) unchanged() bool {
	if !x.ctx.IsGet() && !x.ctx.IsHead() || x.lostToken() {
		return false
	}
	header := x.list(&x.sent.ifNoneMatch, fasthttp.HeaderIfNoneMatch)
	for tag := range tags(header) {
		if bytes.Equal(unpacked(tag), x.tag) {
			return true
		}
	}
	return anything(header)
}

// list returns the value of a list header; several lines count as one.
func (x *exchange) list(h *sentHeader, name string) []byte {
	if h.lines <= 1 {
		return h.first
	}
	return bytes.Join(x.ctx.Request.Header.PeekAll(name), []byte{','})
}

// anything reports whether a condition is the asterisk alone.
func anything(header []byte) bool { return string(bytes.TrimSpace(header)) == "*" }

var weakTag = []byte("W/")

// unpacked returns a tag as this package made it. Proxies that compress answers change their tags: nginx
// makes them weak, Apache and Caddy write the name of the compression at the end: "tag-gzip".
func unpacked(tag []byte) []byte {
	tag = bytes.TrimPrefix(tag, weakTag)
	if at := bytes.LastIndexByte(tag, '-'); at >= 0 && slices.Contains(packedEnds, string(tag[at:])) {
		return append(tag[:at:at], '"')
	}
	return tag
}

var packedEnds = []string{`-gzip"`, `-deflate"`, `-br"`, `-zstd"`}

// match reads If-Match; nil if it was not sent. Only the version of a tag counts. A tag that this
// package has not made matches nothing.
func (x *exchange) match() *engine.Match {
	header := x.list(&x.sent.ifMatch, fasthttp.HeaderIfMatch)
	if len(header) == 0 {
		return nil
	}
	m := &engine.Match{Any: anything(header)}
	for tag := range tags(header) {
		if version, ok := versionOf(unpacked(tag)); ok {
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
		if len(bytes.Trim(digits, "0123456789abcdef")) > 0 {
			return 0, false
		}
	}
	n, err := strconv.ParseUint(string(tag[1:1+tagDigits]), 16, 64)
	return engine.Version(n), err == nil
}

// tags yields the entity tags of a header.
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
