package httpserver

import (
	"bytes"
	"slices"
	"strings"

	"github.com/fasthttp/router"
	"github.com/valyala/fasthttp"

	"cartd/commerce"
)

// matched is the name of the user value in which the router's handlers leave the match.
const matched = "match"

// routeMatch is a route at one of its paths.
type routeMatch struct {
	route *route
	// path is one of the route's paths, with its placeholders.
	path string
	// series are the route's metrics; nil if they count with the requests without a route.
	series *routeSeries
	// values are the placeholders of the path, in order.
	values []placeholder
}

// placeholder is one {name} of a path. gap is the length of the text between the previous
// placeholder and this one.
type placeholder struct {
	name string
	gap  int
}

// pathValue is the value that a request has for a placeholder, exactly as sent.
type pathValue struct{ name, text string }

func newRouteMatch(row *route, path string, series *routeSeries) *routeMatch {
	p := &routeMatch{route: row, path: path, series: series}
	for {
		before, rest, found := strings.Cut(path, "{")
		if !found {
			return p
		}
		name, after, _ := strings.Cut(rest, "}")
		p.values = append(p.values, placeholder{name, len(before)})
		path = after
	}
}

// appendValues appends the values of the placeholders in a path that matches.
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

// otherMethods is the method of the rows that answer every method which a known path does not have.
const otherMethods = router.MethodWild

// newRouter loads the table, and files that count as unknown paths, into fasthttp/router. Each handler
// only stores its match. The router's own answers are not used, because they redirect to any Host that
// the client named.
func newRouter(table, files []route, m *metrics) *router.Router {
	r := router.New()
	for _, rows := range [][]route{table, files} {
		for i := range rows {
			row := &rows[i] // its address is its key in the metrics
			for _, path := range row.allPaths() {
				found := storeMatch(newRouteMatch(row, path, m.table[row]))
				r.Handle(row.method, path, found)
				if row.method == fasthttp.MethodGet {
					r.Handle(fasthttp.MethodHead, path, found)
				}
			}
		}
	}
	whole := append(slices.Clip(table), files...)
	for _, path := range paths(whole) {
		r.Handle(otherMethods, path, storeMatch(&routeMatch{route: &route{
			method: otherMethods, path: path, allow: allowed(whole, path),
			handle: handleOtherMethod, status: fasthttp.StatusOK,
		}}))
	}
	return r
}

func storeMatch(p *routeMatch) fasthttp.RequestHandler {
	return func(ctx *fasthttp.RequestCtx) { ctx.SetUserValue(matched, p) }
}

// paths lists the table's paths with their aliases, each once.
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

// allowed lists the methods of a path in the table's order, HEAD after GET. A fixed path also has
// the methods of a route whose placeholder matches it.
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

// covers reports whether a path of the table equals the template, or has a fixed part at a
// placeholder of the template.
func covers(template, path string) bool {
	is, has := strings.Split(template, "/"), strings.Split(path, "/")
	return slices.EqualFunc(is, has, func(t, p string) bool { return t == p || strings.HasPrefix(t, "{") && !strings.HasPrefix(p, "{") })
}

// find returns the 404 of an unknown path, or sets the request's route and path values. One slash
// at the end is allowed. A path with a double slash or another letter case is another path.
func (s *Server) find(x *exchange) error {
	path := string(sentPath(x.ctx))
	found := s.match(x.ctx, path)
	if found == nil {
		return commerce.RouteNotFound(routeName(path))
	}
	x.route, x.path, x.series, x.values = found.route, found.path, found.series, found.appendValues(x.values, path)
	return nil
}

// match returns the match of a path, or nil. It does not pass the request to the router, which
// would copy the path's values into it.
func (s *Server) match(ctx *fasthttp.RequestCtx, path string) *routeMatch {
	if strings.Contains(path, "//") {
		return nil
	}
	if len(path) > 1 && path[len(path)-1] == '/' {
		path = path[:len(path)-1]
	}
	found, _ := s.router.Lookup(string(ctx.Method()), path, nil)
	if found == nil { // the router tries otherMethods only for methods that it knows
		found, _ = s.router.Lookup(otherMethods, path, nil)
	}
	if found == nil {
		return nil
	}
	found(ctx)
	p, _ := ctx.UserValue(matched).(*routeMatch)
	return p
}

// sentPath returns the path exactly as the client sent it. fasthttp's own path lacks the text after
// a leading double slash, which fasthttp reads as a host.
func sentPath(ctx *fasthttp.RequestCtx) []byte {
	uri := ctx.Request.Header.RequestURI()
	if len(uri) == 0 || uri[0] != '/' { // absolute form, or empty
		return ctx.URI().PathOriginal()
	}
	path, _, _ := bytes.Cut(uri, []byte{'?'})
	path, _, _ = bytes.Cut(path, []byte{'#'})
	return path
}

// routeName returns a path without slashes at its ends, for messages.
func routeName(path string) string {
	if name := strings.Trim(path, "/"); name != "" {
		return name
	}
	return "/"
}

// handleOtherMethod answers OPTIONS, and 405 for a method that the path does not have.
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
