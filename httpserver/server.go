package httpserver

import (
	"cmp"
	"context"
	"log/slog"
	"math"
	"net"
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/fasthttp/router"
	"github.com/google/uuid"
	"github.com/valyala/fasthttp"

	"cartd/engine"
)

// Config are the settings of a Server.
type Config struct {
	// Engine serves the requests. If it is nil, all but the probes are 503 until Begin.
	Engine Engine
	// Logger gets the faults of the server and, with AccessLog, one line a request; nil if nothing
	// is logged.
	Logger    *slog.Logger
	AccessLog bool
	// RequestTimeout is the maximum time of a request, after which it is answered 503 or 504; 0 for
	// five seconds.
	RequestTimeout time.Duration
	// TrustedProxies are the peers whose X-Forwarded-For, X-Request-Id and traceparent are read,
	// and which may ask for Server-Timing.
	TrustedProxies []netip.Prefix
	// CORSOrigins are the origins, spelled as browsers send them, whose pages may
	// call /v1.
	CORSOrigins []string
	// MaxConnections bounds the open connections, except a few that are being refused; 0 for
	// 65,536.
	MaxConnections int
	// AnswerBytes bounds the memory of answers that are being made or sent; 0 for 128 MiB. A store has
	// a quarter of it.
	AnswerBytes int64
	// Version is the release in the API's description.
	Version string
	// StoreMetrics counts the requests of each store.
	StoreMetrics bool
	// Trace gets every answered request that could be read; nil if nothing is traced.
	Trace func(*Trace)
	// NoDocs removes the API's description and its page.
	NoDocs bool
}

const (
	defaultMaxConnections = 1 << 16

	// maxHeader is the maximum size of a request head, in bytes.
	maxHeader = 16 << 10

	// writeBuffer is the maximum size of an answer that is written in one piece, in bytes: a cart
	// of twenty lines with its head.
	writeBuffer = 8 << 10
)

// Server answers HTTP for one engine.
type Server struct {
	// engine is set before awaited is cleared.
	engine Engine
	// awaited is what a Server without an engine waits for; nil once it has one.
	awaited        atomic.Pointer[engine.Unavailable]
	log            *slog.Logger
	accessLog      bool
	requestTimeout time.Duration
	maxConnections int
	proxies        trustedProxies
	origins        origins
	router         *router.Router
	http           *fasthttp.Server
	metrics        *metrics
	trace          func(*Trace)
	bodies         memoryBudget
	answers        answerBudget
	explaining     explanations
	listener       atomic.Pointer[listener]
	// draining: /readyz answers 503. closing: every answer closes its connection.
	draining, closing atomic.Bool
	lastRequests      time.Duration
	// description is the table as an OpenAPI document.
	description staticFile
}

// New returns a Server over the route table.
func New(cfg Config) *Server { return newServer(cfg, routes) }

func newServer(cfg Config, table []route) *Server {
	if cfg.NoDocs {
		table = withoutDocs(table)
	}
	s := &Server{
		log:            cfg.Logger,
		accessLog:      cfg.AccessLog,
		requestTimeout: cfg.RequestTimeout,
		maxConnections: cfg.MaxConnections,
		proxies:        cfg.TrustedProxies,
		origins:        newOrigins(cfg.CORSOrigins),
		metrics:        newMetrics(table, cfg.StoreMetrics),
		trace:          cfg.Trace,
		lastRequests:   lastRequests,
		explaining:     newExplanations(),
		description:    newStatic(string(contentType), func() ([]byte, error) { return describe(table, cfg.Version) }),
	}
	s.router = newRouter(table, s.metrics)
	if cfg.Engine != nil {
		s.Begin(cfg.Engine)
	} else {
		s.Await(engine.RedisAway)
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.requestTimeout == 0 {
		s.requestTimeout = defaultRequestTimeout
	}
	if s.maxConnections == 0 {
		s.maxConnections = defaultMaxConnections
	}
	s.bodies = newMemoryBudget("bodies", maxBodies, bodyParts, s.log)
	s.answers = answerBudget{
		memoryBudget: newMemoryBudget("answers", cmp.Or(cfg.AnswerBytes, defaultAnswerBytes), answerParts, s.log),
		sending:      map[*conn]answerCharge{},
	}
	s.http = s.newHTTP()
	return s
}

// newHTTP configures fasthttp with a bound for every resource, and without log lines about the
// contents of requests.
func (s *Server) newHTTP() *fasthttp.Server {
	return &fasthttp.Server{
		Handler:        s.serve,
		HeaderReceived: s.headReceived,
		ErrorHandler:   s.refuseUnreadable,
		Logger:         connectionLog{s.log},
		// The listener counts the connections, because fasthttp would refuse them with answers of
		// its own.
		Concurrency:           math.MaxInt32,
		ReadBufferSize:        maxHeader,
		WriteBufferSize:       writeBuffer,
		StreamRequestBody:     true, // otherwise fasthttp allocates the size that a head announces
		MaxRequestBodySize:    prefetched,
		ReadTimeout:           readTimeout,
		WriteTimeout:          writeTimeout,
		IdleTimeout:           idleTimeout,
		CloseOnShutdown:       true,
		NoDefaultServerHeader: true,
		NoDefaultContentType:  true,
		// A multipart body is no form in this API: Content-Type has no effect.
		DisablePreParseMultipartForm: true,
		// Otherwise fasthttp's error texts contain whole request heads, with the keys.
		SecureErrorLogMessage: true,
	}
}

// Ids are made from a pool of random bytes: one system call serves many ids.
func init() { uuid.EnableRandPool() }

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

// Await names what a Server without an engine waits for. /readyz answers it.
func (s *Server) Await(what engine.Unavailable) { s.awaited.Store(&what) }

// Begin serves requests with an engine from now on.
func (s *Server) Begin(e Engine) {
	s.engine = e
	s.awaited.Store(nil)
}

// Drain makes /readyz answer 503 from now on. All other requests are served.
func (s *Server) Drain() { s.draining.Store(true) }

// lastRequests is the time for which connections stay open after the listener has closed, so that
// the server reads requests that clients have sent already. fasthttp would close such a connection
// as idle.
const lastRequests = 250 * time.Millisecond

// Shutdown stops accepting, finishes the requests in flight and closes the connections. It returns
// ctx's error if that takes too long.
func (s *Server) Shutdown(ctx context.Context) error {
	s.Drain()
	s.closing.Store(true)
	ln := s.listener.Load()
	if ln != nil {
		ln.Close()
	}
	select {
	case <-time.After(s.lastRequests):
	case <-ctx.Done():
	}
	if ln != nil {
		ln.closeSilent()
	}
	return s.http.ShutdownWithContext(ctx)
}
