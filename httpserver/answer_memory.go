package httpserver

import (
	"bytes"
	"compress/gzip"
	"runtime"
	"sync"

	"github.com/google/uuid"
	"github.com/valyala/fasthttp"

	"cartd/engine"
	"cartd/httpserver/front"
	"cartd/httpserver/site"
	"cartd/internal/turns"
)

const (
	// largeAnswer is the size above which an answer is made in its turn, and reserved ahead of its making, in
	// bytes.
	largeAnswer = 64 << 10
	// listRow is the estimate of a row of a list, in bytes.
	listRow = 4 << 10
	// recordGrowth is how many times its record an answer about a cart, an order or a quote is estimated.
	recordGrowth = 2
)

// makings are the turns of large answers: as many as processors, because more would only take memory.
type makings struct {
	*turns.Turns
	// buffers are those in which the last large answers were made.
	buffers chan []byte
}

// maxMaking is the maximum size of a buffer that stays, in bytes.
const maxMaking = 4 << 20

func newMakings() *makings {
	n := runtime.GOMAXPROCS(0)
	return &makings{Turns: turns.New(n, n, turns.Unbounded), buffers: make(chan []byte, n)}
}

// buffer is one of the buffers, or none.
func (m *makings) buffer() []byte {
	select {
	case b := <-m.buffers:
		return b[:0]
	default:
		return nil
	}
}

// keep keeps a buffer for the next answer.
func (m *makings) keep(b []byte) {
	if cap(b) == 0 || cap(b) > maxMaking {
		return
	}
	select {
	case m.buffers <- b:
	default:
	}
}

// makes reserves an answer by an estimate, and waits for the turn in which it is made. Errors:
// engine.ErrUnavailable.
func (x *exchange) makes(estimate int) error {
	if estimate <= largeAnswer {
		return nil
	}
	if err := x.charged(estimate); err != nil {
		return err
	}
	return x.beginMaking()
}

// makesRecord is makes for an answer about a record of a size. The record takes memory while the answer waits.
func (x *exchange) makesRecord(size int) error { return x.makes(recordGrowth * size) }

// makesList waits for the turn in which rows of the node's memory are made, then reserves them: meanwhile they
// take no memory of their own. Errors: engine.ErrUnavailable.
func (x *exchange) makesList(rows int) error {
	if rows*listRow <= largeAnswer {
		return nil
	}
	if err := x.beginMaking(); err != nil {
		return err
	}
	return x.charged(rows * listRow)
}

// beginMaking waits for a turn, which serve ends. The answer to a write is made without one at the deadline.
func (x *exchange) beginMaking() error {
	if x.making {
		return nil
	}
	m := x.server.making
	err := x.takes(m.Turns)
	if x.making = err == nil; x.making {
		x.spare, x.out = x.out, m.buffer()
	}
	if x.writes() {
		return nil
	}
	return err
}

// takes waits for one of the turns. A reader that has left meanwhile gets none.
func (x *exchange) takes(t *turns.Turns) error {
	if !t.Begin(x.payer(), x.began.Add(x.server.requestTimeout)) {
		return engine.ErrUnavailable
	}
	if !x.writes() && front.ClientLeft(x.ctx) {
		t.End(x.payer())
		return engine.ErrUnavailable
	}
	return nil
}

func (x *exchange) endMaking() {
	if x.making {
		m := x.server.making
		m.keep(x.out)
		x.out, x.spare, x.making = x.spare, nil, false
		m.End(x.payer())
	}
}

// payer is the store that the answer counts for. The answers to requests without a key share the part of one.
func (x *exchange) payer() uuid.UUID {
	if x.request.Store != nil {
		return x.request.Store.ID
	}
	return uuid.Nil
}

// writes reports whether the answer must be sent, because it says what a write has done.
func (x *exchange) writes() bool {
	return x.route != nil && x.route.method != fasthttp.MethodGet && !x.route.unreserved
}

// roomForWrite reserves the answer about a record that is to be changed, ahead of the change, as far as the
// node knows the record. Errors: engine.ErrUnavailable.
func (x *exchange) roomForWrite() error {
	size := recordGrowth * (x.server.engine.KnownSize(&x.request) + len(x.in.Bytes))
	if size <= largeAnswer || x.server.front.Answers.Charge(&x.charge, x.payer(), size, false) {
		return nil
	}
	return noRoomForAnswer
}

// noRoomForAnswer is the cause of a 503 for a store that has used up its share.
const noRoomForAnswer engine.Unavailable = causeAnswers

// grown counts the answer that is being made, if it has grown by a step. An answer to a write must
// be sent: its write is done.
func (x *exchange) grown(size int) error {
	if x.charge.Grown(size) {
		return x.charged(size)
	}
	return nil
}

func (x *exchange) charged(size int) error {
	if !x.server.front.Answers.Charge(&x.charge, x.payer(), size, x.writes()) {
		return noRoomForAnswer
	}
	return nil
}

// made counts the answer as it was made, in place of its estimate.
func (x *exchange) made() error {
	size := x.size()
	x.server.front.Answers.Lower(&x.charge, size)
	return x.charged(size)
}

// size is what the answer's body takes. A file counts although all answers share its bytes: the system
// keeps what a client does not read.
func (x *exchange) size() int {
	if x.ctx.IsHead() {
		return len(x.out)
	}
	return len(x.out) + len(x.kept)
}

// room counts bytes that the making of the answer needs for a time; a negative number ends it.
func (x *exchange) room(bytes int) error {
	store, answers := x.request.Store.ID, x.server.front.Answers
	if bytes < 0 {
		answers.Release(store, -bytes)
	} else if !answers.Reserve(store, bytes) {
		return noRoomForAnswer
	}
	return nil
}

// countedRoom is room for a query, and what gives all of it back.
func (x *exchange) countedRoom() (room func(bytes int) error, release func()) {
	reserved := 0
	return func(bytes int) error {
		reserved += bytes
		return x.room(bytes)
	}, func() { _ = x.room(-reserved) }
}

// dropAnswer drops an answer for which there is no room.
func (x *exchange) dropAnswer() {
	x.server.front.Answers.Drop(&x.charge)
	x.out = nil
	if x.stream != nil {
		x.stream.watch.Close()
		x.stream = nil
	}
}

// packedAbove is the size above which an answer is packed, in bytes. A smaller one fits into one packet.
const packedAbove = 1 << 10

// packer packs an answer into its buffer.
type packer struct {
	writer *gzip.Writer
	buffer bytes.Buffer
}

var packers = sync.Pool{New: func() any {
	p := &packer{}
	p.writer, _ = gzip.NewWriterLevel(&p.buffer, gzip.BestSpeed) // a known level
	return p
}}

// pack packs a large answer of the API if the client accepts gzip. Its ETag stays that of the plain
// answer, because If-None-Match and If-Match name the content and not its coding.
func (x *exchange) pack() {
	if !x.server.gzip || x.route == nil || x.route.guards == nil || x.stream != nil {
		return
	}
	x.vary(variesByCode)
	if len(x.out) <= packedAbove || !site.AcceptsGzip(x.ctx.Request.Header.Peek(fasthttp.HeaderAcceptEncoding)) {
		return
	}
	p := packers.Get().(*packer)
	defer packers.Put(p)
	p.buffer.Reset()
	p.writer.Reset(&p.buffer)
	_, _ = p.writer.Write(x.out) // into memory
	_ = p.writer.Close()
	x.out = append(x.out[:0], p.buffer.Bytes()...)
	x.ctx.Response.Header.SetCanonical(headerEncoding, gzipCoding)
}
