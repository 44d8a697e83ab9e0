package httpserver

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"time"

	"github.com/fasthttp/router"
	"github.com/google/uuid"
	"github.com/valyala/fasthttp"

	"cartd/engine"
	"cartd/httpserver/front"
	"cartd/httpserver/site"
	"cartd/internal/turns"
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
	// TrustedProxies are the peers whose X-Forwarded-For, X-Forwarded-Proto, X-Forwarded-Host,
	// X-Request-Id and traceparent are read, and which may ask for Server-Timing.
	TrustedProxies []netip.Prefix
	// CORSOrigins are the origins, spelled as browsers send them, whose pages may
	// call /v1.
	CORSOrigins []string
	// Limits are the bounds of connections, bodies and answers.
	Limits front.Limits
	// Version is the release in the API's description.
	Version string
	// StoreMetrics counts the requests of each store.
	StoreMetrics bool
	// Trace gets every answered request that could be read, but for probes; nil if nothing is traced.
	Trace func(*Trace)
	// NoDocs removes the API's description, its page, and the pages of its rules.
	NoDocs bool
	// Site are the files of a web site that is served beside the API; none if there is no site.
	Site []site.Source
	// SiteCalls are the requests that its pages make to a program beside the API.
	SiteCalls []site.Call
	// SitePictures are the origins of other servers whose pictures the site shows, such as
	// "https://pictures.example".
	SitePictures []string
	// Desk are the files of the merchant's desk; none if it is off.
	Desk []site.Source
	// Gzip packs answers of the API above 1 KiB for clients that accept it.
	Gzip bool
	// OpenTiming lets every caller ask for Server-Timing, not only trusted proxies.
	OpenTiming bool
}

// defaultRequestTimeout is the deadline of a request if the configuration has none.
const defaultRequestTimeout = 5 * time.Second

// Server answers HTTP for one engine.
type Server struct {
	// engine is set before awaited is cleared.
	engine Engine
	// awaited is what a Server without an engine waits for; nil once it has one.
	awaited        atomic.Pointer[engine.Unavailable]
	log            *slog.Logger
	accessLog      bool
	requestTimeout time.Duration
	trust          atomic.Pointer[trust]
	router         *router.Router
	front          *front.Server
	metrics        *metrics
	trace          func(*Trace)
	openTiming     bool
	gzip           bool
	// explaining, searching and stockTurns bound work that takes much time or memory.
	explaining, searching, stockTurns *turns.Turns
	// making bounds the large answers that are made at a time.
	making *makings
	// showing has an entry for each event that is being made.
	showing chan struct{}
	// draining: /readyz answers 503.
	draining atomic.Bool
	// description is the table as an OpenAPI document.
	description *site.OwnFile
	// docsPage is the page of the description.
	docsPage site.File
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
		metrics:        newMetrics(table, cfg.StoreMetrics),
		trace:          cfg.Trace,
		openTiming:     cfg.OpenTiming,
		gzip:           cfg.Gzip,
		explaining:     newExplanations(),
		searching:      newSearches(),
		stockTurns:     turns.New(stockTurns, 1, turns.Unbounded),
		making:         newMakings(),
		showing:        make(chan struct{}, maxShowing),
		description:    site.NewOwnFile(string(contentType), func() ([]byte, error) { return describe(table, cfg.Version) }),
		docsPage:       site.DocsPage(len(cfg.Site) > 0),
	}
	s.Trust(cfg.TrustedProxies, cfg.CORSOrigins)
	pages := slices.Concat(site.Files(cfg.Site, cfg.SitePictures), site.Desk(cfg.Desk))
	if !cfg.NoDocs {
		pages = append(pages, site.Docs(len(cfg.Site) > 0)...)
	}
	files := slices.Concat(pageRoutes(pages), siteCallRoutes(cfg.SiteCalls))
	s.router = newRouter(table, files, s.metrics)
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
	s.front = front.New(front.Config{
		Handler: s.serve, Unreadable: s.refuseUnreadable, Refusal: s.refusal,
		Accepts: s.accepts, FreeBody: defaultBodyLimit, Log: s.log, Limits: cfg.Limits,
	})
	return s
}

// Ids are made from a pool of random bytes: one system call serves many ids.
func init() { uuid.EnableRandPool() }

// Serve answers the connections of ln until Shutdown, then returns nil. It does so at once if
// Shutdown was called earlier.
func (s *Server) Serve(ln net.Listener) error { return s.front.Serve(ln) }

// trust is whom the server believes: proxies, and the pages of origins.
type trust struct {
	proxies front.Proxies
	origins origins
}

// Trust replaces Config.TrustedProxies and Config.CORSOrigins, for requests that come from now on.
func (s *Server) Trust(proxies []netip.Prefix, origins []string) {
	s.trust.Store(&trust{proxies: proxies, origins: newOrigins(origins)})
}

func (s *Server) proxies() front.Proxies { return s.trust.Load().proxies }

// Await names what a Server without an engine waits for. /readyz answers it.
func (s *Server) Await(what engine.Unavailable) { s.awaited.Store(&what) }

// Begin serves requests with an engine from now on.
func (s *Server) Begin(e Engine) {
	s.engine = e
	s.awaited.Store(nil)
}

// Drain makes /readyz answer 503 from now on. All other requests are served.
func (s *Server) Drain() { s.draining.Store(true) }

// Shutdown stops accepting, finishes the requests in flight and closes the connections. It returns
// ctx's error if that takes too long.
func (s *Server) Shutdown(ctx context.Context) error {
	s.Drain()
	return s.front.Shutdown(ctx)
}

// serve is the path of every request: route, body, admission, guards, handler, answer. Every error
// on this path is rendered here and nowhere else.
func (s *Server) serve(ctx *fasthttp.RequestCtx) {
	s.metrics.inFlight.Add(1)
	defer s.metrics.inFlight.Add(-1)
	x := s.begin(ctx, front.Arrival(ctx))
	s.setHeaders(x)
	err := s.attempt(x)
	if err == nil {
		err = x.made()
	}
	if err != nil {
		x.dropAnswer()
	}
	s.front.FreeBody(ctx, &x.in)
	x.nameToken()
	if err != nil {
		s.fail(x, err)
	} else {
		x.write(cmp.Or(x.status, x.route.status))
		if x.stream != nil {
			x.stream.open(x)
		}
	}
	x.endMaking()
	s.front.Answers.Sends(ctx, &x.charge)
	s.finish(x)
}

func (s *Server) setHeaders(x *exchange) {
	x.sent.read(&x.ctx.Request.Header)
	s.readProxyHeaders(x)
	x.setCommonHeaders()
	s.setCORSHeaders(x)
}

// attempt serves the request up to the body of its success. It returns a panic as an error.
func (s *Server) attempt(x *exchange) (err error) {
	defer func() {
		if panicked := recover(); panicked != nil {
			err = fmt.Errorf("panic: %v\n%s", panicked, debug.Stack())
		}
	}()
	if x.sent.refused {
		return x.headProblem()
	}
	unknown := s.find(x)
	if what := s.awaited.Load(); what != nil {
		if unknown == nil && x.route.probe {
			return x.route.handle(s, x)
		}
		return *what
	}
	if err = s.readBody(x); err != nil {
		return err
	}
	if unknown != nil {
		return unknown
	}
	x.timing.End(phaseRoute, x.began)
	if x.route.guards != nil {
		if err = s.admit(x); err != nil {
			return err
		}
		x.admitted = true
	}
	if x.in.Unread && x.route.keepsBody() { // the key became valid after the body was given up
		return noRoomForBody
	}
	if x.request.Store != nil && s.front.Answers.Full(x.request.Store.ID) {
		return noRoomForAnswer
	}
	x.parse()
	x.nameIgnored()
	return x.route.handle(s, x)
}
