package httpserver

import (
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"cartd/commerce"
	"cartd/engine"
	"cartd/httpserver/front"
	"cartd/internal/answers"
)

// eventStream is the type of an answer that stays open for events.
const eventStream = "text/event-stream"

// The reasons why a stream of events has ended, in addition to those of front. If the cart is not
// active any more, the reason is its status.
const (
	endExpired front.StreamEnd = "expired"
	// endRefused: the visitor may not read the cart any more.
	endRefused front.StreamEnd = "refused"
	endFault   front.StreamEnd = "fault"
)

// eventNotes are the notes of the route in the API's description.
const eventNotes = "The answer stays open as server-sent events: `cart` with the cart envelope as data and its version as id, at once and after each change; " +
	"`ping` every 15 seconds; `end` with `{\"reason\": …}` ahead of the close of the connection: `converted`, `merged`, `expired`, " +
	"`refused` (the visitor may not read the cart any more), `drain` (the node stops; connect again after `retry`) or `fault`.\n\n" +
	"A connection counts as one request. At most 5 streams of a cart, 50 of a client's address and store, 200 of a store and 1,000 in all are open on a node, " +
	"and a store opens at most a quarter of its request limit as streams a minute and node; beyond that the answer is 503 with Retry-After 60."

// streamEnds are all reasons.
var streamEnds = []front.StreamEnd{
	front.StreamEnd(commerce.CartConverted.String()), front.StreamEnd(commerce.CartMerged.String()), endExpired, endRefused, endFault,
	front.StreamLeft, front.StreamSlow, front.StreamDrain,
}

// maxShowing is the maximum number of events that are made at a time. Each takes up to three trips
// to Redis.
const maxShowing = 64

// handleCartEvents answers with the cart, and stays open for its changes. An answer about a cart that
// is not active ends at once: such a cart does not change.
func handleCartEvents(s *Server, x *exchange) error {
	if !x.isID {
		return x.cartNotFound()
	}
	stream := &cartStream{server: s, details: x.includes(answers.IncludeDetails), showing: true}
	var reply engine.Reply
	var err error
	if x.ctx.IsHead() {
		reply, err = s.engine.ReadCart(&x.request)
	} else if stream.watch, reply, err = s.engine.WatchCart(&x.request, stream.changed); stream.watch != nil {
		stream.store, stream.shown, x.stream = x.request.Store.ID.String(), reply.Stamp, stream
	}
	if err != nil {
		return err
	}
	if err = x.makesRecord(reply.Size); err != nil {
		return err
	}
	x.setEventHeaders()
	if x.ctx.IsHead() {
		return nil
	}
	if id := appendHex(nil, uint64(reply.Version())); string(id) != string(x.ctx.Request.Header.Peek(headerLastEvent)) {
		x.out = s.appendCartEvent(x.out, &reply, stream.details)
	}
	if reply.Cart.Status != commerce.CartActive {
		x.out = front.AppendEnd(x.out, front.StreamEnd(reply.Cart.Status.String()), 0)
	}
	return nil
}

// setEventHeaders makes proxies pass each event on at once.
func (x *exchange) setEventHeaders() {
	x.ctx.Response.Header.SetContentType(eventStream)
	x.setHeader(headerBuffering, "no")
	x.vary(variesWithKey)
}

// appendCartEvent writes the cart envelope as an event, with the version as its id.
func (s *Server) appendCartEvent(dst []byte, reply *engine.Reply, details bool) []byte {
	var eval commerce.Evaluation
	a := reply.Facts
	eval.Evaluate(reply.Cart, a.Store, a.Visitor, a.Now)
	s.metrics.check(&eval)
	s.metrics.events.Inc()
	return front.AppendEvent(dst, appendHex(nil, uint64(reply.Version())), "cart", answers.CartAnswer.Append(nil, cartView(a, &eval, details)))
}

// cartStream is an open stream of one cart's events.
type cartStream struct {
	server *Server
	watch  *engine.Watch
	out    *front.Stream
	store  string
	// details is true if the events have the cart's details.
	details bool
	// access are the attributes of the access log's line; nil if there is none.
	access []slog.Attr
	began  time.Time
	// shown is the stamp of the last event. Only the goroutine that makes an event uses it.
	shown engine.Stamp

	mu sync.Mutex
	// showing is true while the stream is not begun, or makes an event. again: the cart has changed
	// since.
	showing, again bool
}

// open hands the connection of the answer to front.
func (st *cartStream) open(x *exchange) {
	st.access, st.began = st.server.accessAttrs(x), x.began
	st.out = st.server.front.OpenStream(x.ctx, st.begun, st.ended)
}

// ended counts and logs the end of the stream.
func (st *cartStream) ended(reason front.StreamEnd, bytes int64) {
	st.watch.Close()
	st.server.metrics.streamEnds.WithLabelValues(string(reason)).Inc()
	st.server.logAccess(st.access, int(bytes), time.Since(st.began))
}

// begun is called once events can be sent.
func (st *cartStream) begun() {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.showing = st.again
	st.again = false
	if st.showing {
		go st.show()
	}
}

// changed notes a change of the cart. Several changes in quick succession share an event.
func (st *cartStream) changed() {
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.showing {
		st.again = true
		return
	}
	st.showing = true
	go st.show()
}

// show sends events until the cart has not changed since the last one.
func (st *cartStream) show() {
	for more := true; more; {
		st.server.showing <- struct{}{}
		st.showOnce()
		<-st.server.showing
		st.mu.Lock()
		more = st.again
		st.showing, st.again = more, false
		st.mu.Unlock()
	}
}

// showOnce sends the cart as it is now to the visitor of now, or ends the stream.
func (st *cartStream) showOnce() {
	s := st.server
	defer func() {
		if panicked := recover(); panicked != nil {
			st.fail(fmt.Errorf("panic: %v\n%s", panicked, debug.Stack()))
		}
	}()
	reply, err := st.watch.Read(time.Now().Add(s.requestTimeout))
	var refusal *commerce.Refusal
	switch {
	case errors.As(err, &refusal) && refusal.Kind == commerce.Missing:
		st.end(nil, endExpired)
	case refusal != nil:
		st.end(nil, endRefused)
	case errors.Is(err, engine.ErrUnavailable): // a later comparison of stamps shows the change again
	case err != nil:
		st.fail(err)
	case reply.Stamp == st.shown:
	default:
		st.shown = reply.Stamp
		event := s.appendCartEvent(nil, &reply, st.details)
		if reply.Cart.Status != commerce.CartActive {
			st.end(event, front.StreamEnd(reply.Cart.Status.String()))
			return
		}
		st.out.Send(event)
	}
}

// end ends the stream after the last events.
func (st *cartStream) end(last []byte, reason front.StreamEnd) {
	st.out.End(front.AppendEnd(last, reason, 0), reason)
}

func (st *cartStream) fail(err error) {
	st.server.log.Error("an event could not be made", "store", st.store, "error", err)
	st.end(nil, endFault)
}
