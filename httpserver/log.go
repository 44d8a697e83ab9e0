package httpserver

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/valyala/fasthttp"
)

// logFault logs a fault of the server. Its line has no path (with cart ids and quote tokens). No
// line has headers, bodies, keys or tokens.
func (s *Server) logFault(x *exchange, err error) {
	s.log.Error("request failed", "request_id", string(x.requestID), "route", x.routePattern(), "error", err)
}

// accessAttrs returns the attributes of a request for the access log; nil if the log has no line of
// it: neither --access-log nor the level debug asks for one, or it is a probe.
func (s *Server) accessAttrs(x *exchange) []slog.Attr {
	if !s.accessLog && !s.log.Enabled(context.Background(), slog.LevelDebug) || x.route != nil && x.route.probe {
		return nil
	}
	store, key := "", ""
	if f := &x.request.Facts; f.Store != nil && f.Key != nil {
		store, key = f.Store.ID.String(), f.Key.Name
	}
	client, _ := s.proxies().Client(x.ctx.RemoteAddr(), &x.ctx.Request.Header)
	return append(make([]slog.Attr, 0, 10),
		slog.String("request_id", string(x.requestID)),
		slog.String("store", store),
		slog.String("key", key),
		slog.String("client", client.String()),
		slog.String("method", x.loggedMethod()),
		slog.String("path", x.loggedPath()),
		slog.String("route", x.routePattern()),
		slog.Int("status", x.ctx.Response.StatusCode()))
}

// logAccess writes the access log's line of a request.
func (s *Server) logAccess(attrs []slog.Attr, bytes int, took time.Duration) {
	if attrs != nil {
		level := slog.LevelDebug
		if s.accessLog {
			level = slog.LevelInfo
		}
		s.log.LogAttrs(context.Background(), level, "request",
			append(attrs, slog.Int("bytes", bytes), slog.Float64("duration_ms", milliseconds(took)))...)
	}
}

// bytes returns the length of the answer's body.
func (x *exchange) bytes() int {
	if x.ctx.IsHead() || x.ctx.Response.StatusCode() == fasthttp.StatusNotModified {
		return 0
	}
	return len(x.ctx.Response.Body())
}

// maxLoggedMethod is longer than any method of the API. A client may send anything.
const maxLoggedMethod = 16

// loggedMethod returns the request's method for the log and for spans.
func (x *exchange) loggedMethod() string {
	method := x.ctx.Method()
	return string(method[:min(len(method), maxLoggedMethod)])
}

// shownOfID is the number of characters of an id in the log: enough to find a known one, too few to
// use it.
const shownOfID = 8

// loggedPath returns the request's path with the first characters of its ids. Other values (a
// quote's token, a slug) stay placeholders. An unknown path is empty, because it may hold a secret.
func (x *exchange) loggedPath() string {
	path := x.path
	for _, value := range x.values {
		if _, err := uuid.Parse(value.text); err == nil && len(value.text) == len(uuid.Nil.String()) {
			path = strings.Replace(path, "{"+value.name+"}", value.text[:shownOfID]+"…", 1)
		}
	}
	return path
}

// routePattern returns the route's path with its placeholders; empty if there is no route.
func (x *exchange) routePattern() string {
	if x.route == nil {
		return ""
	}
	return x.route.path
}
