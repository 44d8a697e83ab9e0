package httpserver

import (
	"bytes"
	"slices"
	"strings"

	"github.com/fasthttp/router"
	"github.com/valyala/fasthttp"

	"cartd/commerce"
)

// matched is the user value under which the router leaves what it found.
const matched = "match"

// routeMatch is a route at one of its paths.
type routeMatch struct {
	route *route
	// path is the one of them with its placeholders.
	path string
	// series are the route's; nil: those of strays.
	series *routeSeries
	// values are the placeholders of the path, in their order.
	values []placeholder
}

// placeholder is one {name} of a path, and the length of what stands between it and
// the one before.
type placeholder struct {
	name string
	gap  int
}

// pathValue is what a request has in the place of a placeholder, exactly as sent.
type pathValue struct{ name, text string }

func newRouteMatch(row *route, path string, series *routeSeries) *routeMatch {
	p := &routeMatch{route: row, path: path, series: series}
	for {
		before, rest, found := strings.Cut(path, "{")
		if !found {
			return p
		}
		name, behind, _ := strings.Cut(rest, "}")
		p.values = append(p.values, placeholder{name, len(before)})
		path = behind
	}
}

// appendValues cuts the values out of a path that the router found to be this one.
func (p *routeMatch) appendValues(dst []pathValue, path string) []pathValue {
	for _, value := range p.values {
		path = path[value.gap:]
		end := strings.IndexByte(path, '/')
		if end < 0 {
			end = len(path)
		}
		dst = append(dst, pathValue{value.name, path[:end]})
		path = path[end:]
	}
	return dst
}

// otherMethods is the method of the rows that stand for every method which a
// known path does not have.
const otherMethods = router.MethodWild

// newRouter puts the table behind fasthttp/router. Its handlers only say which
// route it is; nothing of its own answers is used (it redirects to whatever Host
// the client named).
func newRouter(table []route, m *metrics) *router.Router {
	r := router.New()
	for i := range table {
		row := &table[i]
		for _, path := range row.allPaths() {
			found := mark(newRouteMatch(row, path, m.table[row]))
			r.Handle(row.method, path, found)
			if row.method == fasthttp.MethodGet {
				r.Handle(fasthttp.MethodHead, path, found)
			}
		}
	}
	for _, path := range paths(table) {
		r.Handle(otherMethods, path, mark(&routeMatch{route: &route{
			method: otherMethods, path: path, allow: allowed(table, path),
			handle: handleOtherMethod, status: fasthttp.StatusOK,
		}}))
	}
	return r
}

func mark(p *routeMatch) fasthttp.RequestHandler {
	return func(ctx *fasthttp.RequestCtx) { ctx.SetUserValue(matched, p) }
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

// allowed lists the methods of a path in the table's order, HEAD after GET. What a fixed
// path does not have may be a route with a placeholder in its place.
func allowed(table []route, path string) string {
	var methods []string
	for i := range table {
		if !slices.ContainsFunc(table[i].allPaths(), func(template string) bool { return covers(template, path) }) ||
			slices.Contains(methods, table[i].method) {
			continue
		}
		methods = append(methods, table[i].method)
		if table[i].method == fasthttp.MethodGet {
			methods = append(methods, fasthttp.MethodHead)
		}
	}
	return strings.Join(methods, ", ")
}

// covers reports whether a path of the table is a template's, or has something fixed
// where the template has a placeholder.
func covers(template, path string) bool {
	is, has := strings.Split(template, "/"), strings.Split(path, "/")
	return slices.EqualFunc(is, has, func(t, p string) bool { return t == p || strings.HasPrefix(t, "{") && !strings.HasPrefix(p, "{") })
}

// find gives a request its route and path values, or the 404 of an unknown path. One
// slash at the end is allowed; a double slash or another letter case is another path.
func (s *Server) find(x *exchange) error {
	path := string(sentPath(x.ctx))
	found := s.match(x.ctx, path)
	if found == nil {
		return commerce.RouteNotFound(routeName(path))
	}
	x.route, x.path, x.series, x.values = found.route, found.path, found.series, found.appendValues(x.values, path)
	return nil
}

// match returns what the router finds at a path, or nil. The router is not given the
// request, which it would fill with copies of the path's values.
func (s *Server) match(ctx *fasthttp.RequestCtx, path string) *routeMatch {
	if strings.Contains(path, "//") {
		return nil
	}
	if len(path) > 1 && path[len(path)-1] == '/' {
		path = path[:len(path)-1]
	}
	found, _ := s.router.Lookup(string(ctx.Method()), path, nil)
	if found == nil { // the router does not try otherMethods for a method it never heard of
		found, _ = s.router.Lookup(otherMethods, path, nil)
	}
	if found == nil {
		return nil
	}
	found(ctx)
	p, _ := ctx.UserValue(matched).(*routeMatch)
	return p
}

// sentPath is the path exactly as the client sent it. fasthttp's own takes what
// follows a leading double slash for a host.
func sentPath(ctx *fasthttp.RequestCtx) []byte {
	uri := ctx.Request.Header.RequestURI()
	if len(uri) == 0 || uri[0] != '/' { // absolute form, or none at all
		return ctx.URI().PathOriginal()
	}
	path, _, _ := bytes.Cut(uri, []byte{'?'})
	path, _, _ = bytes.Cut(path, []byte{'#'})
	return path
}

// routeName is a path as the messages show it: without slashes at its ends.
func routeName(path string) string {
	if name := strings.Trim(path, "/"); name != "" {
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
	named := *methodNotAllowed
	named.message = strings.NewReplacer("{method}", string(x.ctx.Method()), "{path}", routeName(string(sentPath(x.ctx))), "{methods}", x.route.allow).
		Replace(named.message)
	return &named
}
