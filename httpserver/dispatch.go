package httpserver

import (
	"bytes"
	"slices"
	"strings"

	"github.com/fasthttp/router"
	"github.com/valyala/fasthttp"

	"cartd/commerce"
)

// matched is the user value under which the router leaves the route it found.
const matched = "route"

// otherMethods is the method of the rows that stand for every method which a
// known path does not have.
const otherMethods = router.MethodWild

// newRouter puts the table behind fasthttp/router. Its handlers only say which
// route it is; nothing of its own answers is used (it redirects to whatever Host
// the client named).
func newRouter(table []route) *router.Router {
	r := router.New()
	for i := range table {
		row := &table[i]
		for _, path := range row.allPaths() {
			r.Handle(row.method, path, mark(row))
			if row.method == fasthttp.MethodGet {
				r.Handle(fasthttp.MethodHead, path, mark(row))
			}
		}
	}
	for _, path := range paths(table) {
		r.Handle(otherMethods, path, mark(&route{
			method: otherMethods, path: path, allow: allowed(table, path),
			bodyLimit: unboundedBody, handle: handleOtherMethod, status: fasthttp.StatusOK,
		}))
	}
	return r
}

func mark(row *route) fasthttp.RequestHandler {
	return func(ctx *fasthttp.RequestCtx) { ctx.SetUserValue(matched, row) }
}

// paths lists the table's paths and their aliases, each once.
func paths(table []route) []string {
	var all []string
	for i := range table {
		for _, path := range table[i].allPaths() {
			if !slices.Contains(all, path) {
				all = append(all, path)
			}
		}
	}
	return all
}

// allowed lists the methods of a path in the table's order, HEAD after GET.
func allowed(table []route, path string) string {
	var methods []string
	for i := range table {
		if !slices.Contains(table[i].allPaths(), path) {
			continue
		}
		methods = append(methods, table[i].method)
		if table[i].method == fasthttp.MethodGet {
			methods = append(methods, fasthttp.MethodHead)
		}
	}
	return strings.Join(methods, ", ")
}

// find returns the route of a request, or the 404 of an unknown one. One slash at
// the end is allowed; a double slash or another letter case is another path.
func (s *Server) find(ctx *fasthttp.RequestCtx) (*route, error) {
	sent := sentPath(ctx)
	path := sent
	if len(path) > 1 && path[len(path)-1] == '/' {
		path = path[:len(path)-1]
	}
	if !bytes.Contains(sent, []byte("//")) && s.look(ctx, string(path)) {
		row, _ := ctx.UserValue(matched).(*route)
		return row, nil
	}
	return nil, commerce.RouteNotFound(routeName(sent))
}

// look lets the router mark the request with its route and path values.
func (s *Server) look(ctx *fasthttp.RequestCtx, path string) bool {
	found, _ := s.router.Lookup(string(ctx.Method()), path, ctx)
	if found == nil { // the router does not try otherMethods for a method it never heard of
		found, _ = s.router.Lookup(otherMethods, path, ctx)
	}
	if found == nil {
		return false
	}
	found(ctx)
	return true
}

// sentPath is the path exactly as the client sent it. fasthttp's own takes what
// follows a leading double slash for a host.
func sentPath(ctx *fasthttp.RequestCtx) []byte {
	uri := ctx.Request.Header.RequestURI()
	if len(uri) == 0 || uri[0] != '/' { // absolute form, or none at all
		return ctx.URI().PathOriginal()
	}
	if end := bytes.IndexAny(uri, "?#"); end >= 0 {
		uri = uri[:end]
	}
	return uri
}

// routeName is a path as the messages show it: without its first slash.
func routeName(path []byte) string {
	if name := strings.TrimPrefix(string(path), "/"); name != "" {
		return name
	}
	return "/"
}

// handleOtherMethod answers OPTIONS, and 405 to what the path does not have.
func handleOtherMethod(_ *Server, x *exchange) error {
	x.setHeader(headerAllow, x.route.allow)
	if string(x.ctx.Method()) == fasthttp.MethodOptions {
		x.answerPreflight()
		return nil
	}
	return &problem{
		status: fasthttp.StatusMethodNotAllowed,
		message: "The " + string(x.ctx.Method()) + " method is not supported for route " + routeName(sentPath(x.ctx)) +
			". Supported methods: " + x.route.allow + ".",
	}
}
