package httpserver

import (
	"log/slog"
	"time"
)

// logFault reports a fault of the server. Headers, bodies, keys, tokens and paths
// (which hold cart ids and quote tokens) are never logged.
func (s *Server) logFault(x *exchange, err error) {
	s.log.Error("request failed", "request_id", string(x.requestID), "route", x.routePattern(), "error", err)
}

func (s *Server) logAccess(x *exchange) {
	if !s.accessLog {
		return
	}
	s.log.Info("request",
		"request_id", string(x.requestID),
		"method", string(x.ctx.Method()),
		"route", x.routePattern(),
		"status", x.ctx.Response.StatusCode(),
		"bytes", len(x.ctx.Response.Body()),
		"duration", time.Since(x.began))
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
