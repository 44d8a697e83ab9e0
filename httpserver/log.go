package httpserver

import (
	"context"
	"log/slog"
	"strings"

	"github.com/google/uuid"
	"github.com/valyala/fasthttp"
)

// logFault reports a fault of the server. Headers, bodies, keys, tokens and paths
// (which hold cart ids and quote tokens) are never logged.
func (s *Server) logFault(x *exchange, err error) {
	s.log.Error("request failed", "request_id", string(x.requestID), "route", x.routePattern(), "error", err)
}

// logAccess writes the request's line.
func (s *Server) logAccess(x *exchange) {
	if !s.accessLog {
		return
	}
	store, key := "", ""
	if f := &x.request.Facts; f.Store != nil && f.Key != nil {
		store, key = f.Store.ID.String(), f.Key.Name
	}
	s.log.LogAttrs(context.Background(), slog.LevelInfo, "request",
		slog.String("request_id", string(x.requestID)),
		slog.String("store", store),
		slog.String("key", key),
		slog.String("client", s.proxies.caller(x.ctx.RemoteAddr(), &x.ctx.Request.Header).Addr.String()),
		slog.String("method", string(x.ctx.Method())),
		slog.String("path", x.loggedPath()),
		slog.String("route", x.routePattern()),
		slog.Int("status", x.ctx.Response.StatusCode()),
		slog.Int("bytes", x.bytes()),
		slog.Float64("duration_ms", milliseconds(x.took())))
}

// bytes is how long the answer's body is.
func (x *exchange) bytes() int {
	if x.ctx.IsHead() || x.ctx.Response.StatusCode() == fasthttp.StatusNotModified {
		return 0
	}
	return len(x.ctx.Response.Body())
}

// shownOfID is how much of an id the log shows: enough to find a known one, too little to use it.
const shownOfID = 8

// loggedPath is the request's path with the beginnings of its ids. Other values (a quote's token, a
// slug) stay placeholders, and an unknown path is empty: it may hold anything.
func (x *exchange) loggedPath() string {
	path := x.path
	for _, value := range x.values {
		if _, err := uuid.Parse(value.text); err == nil && len(value.text) == len(uuid.Nil.String()) {
			path = strings.Replace(path, "{"+value.name+"}", value.text[:shownOfID]+"…", 1)
		}
	}
	return path
}

// routePattern is the route's path with its placeholders; empty: no route.
func (x *exchange) routePattern() string {
	if x.route == nil {
		return ""
	}
	return x.route.path
}

// connectionLog takes fasthttp's own messages. What they are about is left out:
// it can quote a header or a path.
type connectionLog struct{ log *slog.Logger }

// Printf logs the message's format, never its arguments.
func (l connectionLog) Printf(format string, _ ...any) {
	l.log.Debug("connection", slog.String("message", format))
}
