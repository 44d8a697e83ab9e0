package httpserver

import (
	"context"
	"log/slog"
	"math"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fasthttp/router"
	"github.com/google/uuid"
	"github.com/valyala/fasthttp"
)

// Config is what a Server needs to know. Only Engine is required.
type Config struct {
	Engine Engine
	// Logger takes the faults of the server and, with AccessLog, one line a
	// request; nil: nothing is logged.
	Logger    *slog.Logger
	AccessLog bool
	// RequestTimeout is how long a request may take before it is answered 503 or
	// 504; 0: five seconds.
	RequestTimeout time.Duration
	// TrustedProxies are the peers whose X-Forwarded-For, X-Request-Id and traceparent count, and who
	// may ask for Server-Timing.
	TrustedProxies []netip.Prefix
	// CORSOrigins are the origins, spelled as browsers send them, whose pages may
	// call /v1.
	CORSOrigins []string
	// MaxConnections bounds the connections open at a time, but for a few that are
	// being refused; 0: 65,536.
	MaxConnections int
	// Version is the release that the API's description names.
	Version string
	// StoreMetrics counts the requests of each store.
	StoreMetrics bool
	// Trace is given every answered request; nil: nothing is traced.
	Trace func(*Trace)
	// NoDocs leaves the API's description and its page out.
	NoDocs bool
}

const (
	defaultRequestTimeout = 5 * time.Second
	defaultMaxConnections = 1 << 16

	// maxHeader is the greatest request head, in bytes.
	maxHeader = 16 << 10

	// writeBuffer is the longest answer, in bytes, that is written in one piece: a cart
	// of twenty lines and its head.
	writeBuffer = 8 << 10

	readTimeout  = 15 * time.Second
	writeTimeout = 15 * time.Second
	idleTimeout  = 75 * time.Second
)

// Server answers HTTP for one engine.
type Server struct {
	engine         Engine
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
	responses      responseCache
	bodies         bodyBudget
	listener       atomic.Pointer[listener]
	// draining: /readyz says no. closing: every answer is its connection's last.
	draining, closing atomic.Bool
	lastRequests      time.Duration
	// description is the table as an OpenAPI document.
	description func() ([]byte, error)
}

// New returns a Server over the route table.
func New(cfg Config) *Server { return newServer(cfg, routes) }

func newServer(cfg Config, table []route) *Server {
	if cfg.NoDocs {
		table = withoutDocs(table)
	}
	s := &Server{
		engine:         cfg.Engine,
		log:            cfg.Logger,
		accessLog:      cfg.AccessLog,
		requestTimeout: cfg.RequestTimeout,
		maxConnections: cfg.MaxConnections,
		proxies:        cfg.TrustedProxies,
		origins:        newOrigins(cfg.CORSOrigins),
		metrics:        newMetrics(table, cfg.StoreMetrics),
		trace:          cfg.Trace,
		lastRequests:   lastRequests,
		description:    sync.OnceValues(func() ([]byte, error) { return describe(table, cfg.Version) }),
	}
	s.router = newRouter(table, s.metrics)
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.requestTimeout == 0 {
		s.requestTimeout = defaultRequestTimeout
	}
	if s.maxConnections == 0 {
		s.maxConnections = defaultMaxConnections
	}
	s.bodies.limit = maxBodies
	s.http = s.newHTTP()
	return s
}

// newHTTP configures fasthttp: bounded in every direction, and silent about what
// clients send.
func (s *Server) newHTTP() *fasthttp.Server {
	return &fasthttp.Server{
		Handler:        s.serve,
		HeaderReceived: s.headReceived,
		ErrorHandler:   s.refuseUnreadable,
		Logger:         connectionLog{s.log},
		// The listener counts the connections, for fasthttp refuses them in its own words.
		Concurrency:           math.MaxInt32,
		ReadBufferSize:        maxHeader,
		WriteBufferSize:       writeBuffer,
		StreamRequestBody:     true, // otherwise fasthttp reserves what a head announces
		MaxRequestBodySize:    prefetched,
		ReadTimeout:           readTimeout,
		WriteTimeout:          writeTimeout,
		IdleTimeout:           idleTimeout,
		CloseOnShutdown:       true,
		NoDefaultServerHeader: true,
		NoDefaultContentType:  true,
		// A multipart body is no form here: Content-Type is not looked at.
		DisablePreParseMultipartForm: true,
		// Otherwise its error texts hold whole request heads, keys included.
		SecureErrorLogMessage: true,
	}
}

// New ids take their randomness from a pool: one read of the system for many.
func init() { uuid.EnableRandPool() }

// Serve answers the connections of ln until Shutdown, which may have been before; it
// returns nil then.
func (s *Server) Serve(ln net.Listener) error {
	own := s.newListener(ln)
	s.listener.Store(own)
	if s.closing.Load() { // Shutdown may not have seen the listener
		own.Close()
	}
	return s.http.Serve(own)
}

// Drain makes /readyz answer 503 from now on; everything else goes on.
func (s *Server) Drain() { s.draining.Store(true) }

// lastRequests is how long connections stay open after the listener has closed, so
// that what a client has sent already is read: fasthttp closes a connection as idle
// also where a request waits in its buffer.
const lastRequests = 250 * time.Millisecond

// Shutdown stops accepting, finishes what is in flight and closes the
// connections. The error is ctx's where that took too long.
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
