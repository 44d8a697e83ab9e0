package httpserver

import (
	"github.com/google/uuid"
	"github.com/valyala/fasthttp"

	"cartd/engine"
)

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
	x.charge.Store = uuid.Nil // the answers to requests without a key share the part of one store
	if x.request.Store != nil {
		x.charge.Store = x.request.Store.ID
	}
	if !x.server.front.Answers.Charge(&x.charge, size, x.route != nil && x.route.method != fasthttp.MethodGet) {
		return noRoomForAnswer
	}
	return nil
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

// dropAnswer drops an answer for which there is no room.
func (x *exchange) dropAnswer() {
	x.server.front.Answers.Drop(&x.charge)
	x.out = nil
	if x.stream != nil {
		x.stream.watch.Close()
		x.stream = nil
	}
}
