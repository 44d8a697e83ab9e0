package front

import (
	"cmp"
	"context"
	"log/slog"
	"math"
	"net"
	"sync/atomic"
	"time"

	"github.com/valyala/fasthttp"
)

// Config are the settings of a Server. All functions are required.
type Config struct {
	// Handler answers a request.
	Handler fasthttp.RequestHandler
	// Unreadable answers bytes that could not be read as a request. The connection then closes.
	Unreadable func(*fasthttp.RequestCtx, error)
	// Refusal is the answer to a client whose connection is refused.
	Refusal func(client net.Addr) []byte
	// Accepts returns the maximum size of the body that a request may have, and whether the answer
	// depends on the body.
	Accepts func(*fasthttp.RequestHeader) (size int, needed bool)
	// FreeBody is the size of a body that Accepts never refuses: no request is asked for less.
	FreeBody int
	Log      *slog.Logger
	Limits
}

// Limits are the bounds of a Server. A zero is the default.
type Limits struct {
	// Connections bounds the open connections, except a few that are being refused.
	Connections int
	// BodyBytes bounds the memory for the bodies of all requests, beyond FirstBody of each. A store
	// has one of BodyParts equal parts of it. AnswerBytes and AnswerParts are the same for answers.
	BodyBytes, BodyParts, AnswerBytes, AnswerParts int64
	// ReadTimeout is the maximum time in which a request arrives. BodyTime is that of each bodyStep of
	// its body. ClientBodies is the maximum number of bodies beyond FirstBody that one client sends at a
	// time; together they have at most an eighth of a store's share, unless it is a single one.
	ReadTimeout, BodyTime time.Duration
	ClientBodies          int
	// LastRequests is the time for which connections stay open after the listener has closed, so that
	// the server reads requests that clients have sent already. fasthttp would close such a
	// connection as idle.
	LastRequests time.Duration
}

const (
	// maxHeader is the maximum size of a request head, in bytes.
	maxHeader = 16 << 10

	// largeBodyBytes is the memory for large bodies; a store has one of largeBodyParts equal parts.
	largeBodyBytes = 32 << 20
	largeBodyParts = 4

	// clientBodies: see Limits.ClientBodies.
	clientBodies = 8
	// shareParts is the number of equal parts of a store's share of the memory for bodies. One client has
	// one of them, and one is for bodies of at most smallBody.
	shareParts = 8

	// writeBuffer is the maximum size of an answer that is written in one piece, in bytes: a cart
	// of twenty lines with its head.
	writeBuffer = 8 << 10
)

func (l Limits) withDefaults() Limits {
	return Limits{
		Connections:  cmp.Or(l.Connections, 1<<16),
		BodyBytes:    cmp.Or(l.BodyBytes, 64<<20),
		BodyParts:    cmp.Or(l.BodyParts, 8),
		AnswerBytes:  cmp.Or(l.AnswerBytes, 128<<20),
		AnswerParts:  cmp.Or(l.AnswerParts, 4),
		ReadTimeout:  cmp.Or(l.ReadTimeout, readTimeout),
		BodyTime:     cmp.Or(l.BodyTime, bodyTime),
		ClientBodies: cmp.Or(l.ClientBodies, clientBodies),
		LastRequests: cmp.Or(l.LastRequests, lastRequests),
	}
}

// Server reads requests and sends the answers of a handler.
type Server struct {
	cfg Config
	// Bodies and Answers count the memory of the requests that are being served, LargeBodies that of
	// change sets: one of a store, a few of all stores.
	Bodies, LargeBodies *Budget
	Answers             *Answers
	clients             clientPlaces

	http     *fasthttp.Server
	streams  streams
	listener atomic.Pointer[listener]
	// closing: every answer closes its connection.
	closing atomic.Bool
}

// New returns a Server.
func New(cfg Config) *Server {
	cfg.Limits = cfg.Limits.withDefaults()
	s := &Server{
		cfg:         cfg,
		Bodies:      newBudget("bodies", cfg.BodyBytes, cfg.BodyParts, cfg.Log),
		LargeBodies: newBudget("large bodies", largeBodyBytes, largeBodyParts, cfg.Log),
		Answers:     newAnswers(cfg.AnswerBytes, cfg.AnswerParts, cfg.Log),
	}
	s.clients.share = s.smallShare()
	s.http = s.newHTTP()
	return s
}

// smallShare is the part of a store's share that small bodies have, and that a client has.
func (s *Server) smallShare() int { return int(s.cfg.BodyBytes / s.cfg.BodyParts / shareParts) }

// newHTTP configures fasthttp with a bound for every resource, and without log lines about the
// contents of requests.
func (s *Server) newHTTP() *fasthttp.Server {
	return &fasthttp.Server{
		Handler:        s.serve,
		HeaderReceived: s.headReceived,
		ErrorHandler:   s.cfg.Unreadable,
		Logger:         connectionLog{s.cfg.Log},
		// The listener counts the connections, because fasthttp would refuse them with answers of
		// its own.
		Concurrency:           math.MaxInt32,
		ReadBufferSize:        maxHeader,
		WriteBufferSize:       writeBuffer,
		StreamRequestBody:     true, // otherwise fasthttp allocates the size that a head announces
		MaxRequestBodySize:    prefetched,
		ReadTimeout:           s.cfg.ReadTimeout,
		WriteTimeout:          writeTimeout,
		IdleTimeout:           idleTimeout,
		CloseOnShutdown:       true,
		KeepHijackedConns:     true, // a stream closes its connection
		NoDefaultServerHeader: true,
		NoDefaultContentType:  true,
		// A multipart body is no form in this API: Content-Type has no effect.
		DisablePreParseMultipartForm: true,
		// Otherwise fasthttp's error texts contain whole request heads, with the keys.
		SecureErrorLogMessage: true,
	}
}

func (s *Server) serve(ctx *fasthttp.RequestCtx) {
	if c, is := ctx.Conn().(*Conn); is { // also of a pipelined request, for which nothing was read
		s.Answers.sent(c)
	}
	s.cfg.Handler(ctx)
	if s.closing.Load() {
		ctx.SetConnectionClose()
	}
}

// Arrival returns the time at which a request arrived.
func Arrival(ctx *fasthttp.RequestCtx) time.Time {
	if c, ok := ctx.Conn().(*Conn); ok && !c.began.IsZero() {
		return c.began
	}
	return ctx.Time()
}

// Serve answers the connections of ln until Shutdown, then returns nil. It does so at once if
// Shutdown was called earlier.
func (s *Server) Serve(ln net.Listener) error {
	own := s.newListener(ln)
	s.listener.Store(own)
	if s.closing.Load() { // Shutdown may have missed the listener
		own.Close()
	}
	return s.http.Serve(own)
}

// Shutdown stops accepting, finishes the requests in flight and closes the connections. It returns
// ctx's error if that takes too long.
func (s *Server) Shutdown(ctx context.Context) error {
	s.closing.Store(true)
	ln := s.listener.Load()
	if ln != nil {
		ln.Close()
	}
	s.streams.drain()
	select {
	case <-time.After(s.cfg.LastRequests):
	case <-ctx.Done():
	}
	if ln != nil {
		ln.closeSilent()
	}
	return s.http.ShutdownWithContext(ctx)
}

// Connections returns the numbers of open connections, of those of them that have sent nothing yet,
// and the limit.
func (s *Server) Connections() (open, silent, limit int) {
	if l := s.listener.Load(); l != nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		open, silent = l.open, len(l.silent)
	}
	return open, silent, s.cfg.Connections
}

// connectionLog logs fasthttp's own messages without their arguments, which can quote a header or a
// path.
type connectionLog struct{ log *slog.Logger }

func (l connectionLog) Printf(format string, _ ...any) {
	l.log.Debug("connection", slog.String("message", format))
}

// The times after which the server stops waiting.
const (
	readTimeout  = 15 * time.Second
	writeTimeout = 15 * time.Second
	idleTimeout  = 75 * time.Second
	// bodyTime: see Limits.BodyTime.
	bodyTime = 2 * time.Second

	// crowdedWrite is the write time-out while more than half of the budget is in use.
	crowdedWrite = 3 * time.Second
	// lastRequests: see Limits.LastRequests.
	lastRequests = 250 * time.Millisecond
	// eventTimeout is the maximum time in which a client takes an event.
	eventTimeout = 5 * time.Second
	// refusalWait is the maximum time to wait for the request of a connection that is refused, and
	// then for its client to read the answer.
	refusalWait = 500 * time.Millisecond
)

// deadlineSlack is the inaccuracy of a connection's deadline. It is small compared with readTimeout,
// writeTimeout and idleTimeout.
const deadlineSlack = time.Second
