package httpserver

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"github.com/valyala/fasthttp"

	"cartd/internal/answers"
)

// pageRoute returns a list of numbered rows, by default 25 and at most 100 a page.
func pageRoute(total int) []route {
	return []route{{method: "GET", path: "/list", status: 200, handle: func(s *Server, x *exchange) error {
		p := x.page(perPage{standard: 25, max: 100}, total)
		from, to := p.bounds()
		return writePage(x, answers.PageOf("List", answers.Integer), p, func(yield func(int) bool) {
			for i := from; i < to && yield(i+1); i++ {
			}
		})
	}}}
}

// The whole envelope. Spec: Pagination envelope.
func TestAPageHasEveryField(t *testing.T) {
	t.Parallel()
	const at = `http://shop.example/list`
	startTable(t, pageRoute(60)).expect(call{method: "GET", path: "/list/?per_page=3&page=2&q=a%26b&page=2&tag[]=x"}, 200,
		`{"data":[4,5,6],`+
			`"links":{"first":"`+at+`?per_page=3&q=a%26b&tag[]=x&page=1","last":"`+at+`?per_page=3&q=a%26b&tag[]=x&page=20",`+
			`"prev":"`+at+`?per_page=3&q=a%26b&tag[]=x&page=1","next":"`+at+`?per_page=3&q=a%26b&tag[]=x&page=3"},`+
			`"meta":{"current_page":2,"from":4,"last_page":20,"links":[`+
			manyLinks(at+"?per_page=3&q=a%26b&tag[]=x&page=", 2, 20, "1 2 3 4 5 6 7 8 9 10 ... 19 20")+`],`+
			`"path":"`+at+`","per_page":3,"to":6,"total":60}}`)
	startTable(t, pageRoute(0)).expect(call{method: "GET", path: "/list"}, 200,
		`{"data":[],"links":{"first":"`+at+`?page=1","last":"`+at+`?page=1","prev":null,"next":null},`+
			`"meta":{"current_page":1,"from":null,"last_page":1,"links":[`+manyLinks(at+"?page=", 1, 1, "1")+`],`+
			`"path":"`+at+`","per_page":25,"to":null,"total":0}}`)
	startTable(t, pageRoute(30)).expect(call{method: "GET", path: "/list?page=9"}, 200,
		`{"data":[],"links":{"first":"`+at+`?page=1","last":"`+at+`?page=2","prev":"`+at+`?page=8","next":null},`+
			`"meta":{"current_page":9,"from":null,"last_page":2,"links":[`+manyLinks(at+"?page=", 9, 2, "1 2")+`],`+
			`"path":"`+at+`","per_page":25,"to":null,"total":30}}`)
}

// manyLinks returns meta.links for these labels.
func manyLinks(prefix string, current, last int, labels string) string {
	link := func(page int, there bool, label string, active bool) string {
		url := "null"
		if there {
			url = fmt.Sprintf(`"%s%d"`, prefix, page)
		}
		return fmt.Sprintf(`{"url":%s,"label":"%s","active":%v}`, url, label, active)
	}
	all := []string{link(current-1, current > 1, "&laquo; Previous", false)}
	for _, label := range strings.Fields(labels) {
		n, ok := wholeNumber(label)
		all = append(all, link(n, ok, label, n == current))
	}
	return strings.Join(append(all, link(current+1, current < last, "Next &raquo;", false)), ",")
}

func TestWhichPagesTheLinksOffer(t *testing.T) {
	for _, c := range []struct {
		current, last int
		want          string
	}{
		{1, 1, "1"}, {5, 13, "1 2 3 4 5 6 7 8 9 10 11 12 13"}, {99, 13, "1 2 3 4 5 6 7 8 9 10 11 12 13"},
		{1, 14, "1 2 3 4 5 6 7 8 9 10 0 13 14"}, {7, 14, "1 2 3 4 5 6 7 8 9 10 0 13 14"},
		{8, 14, "1 2 0 5 6 7 8 9 10 11 12 13 14"}, {14, 14, "1 2 0 5 6 7 8 9 10 11 12 13 14"},
		{8, 20, "1 2 0 5 6 7 8 9 10 11 0 19 20"}, {13, 20, "1 2 0 10 11 12 13 14 15 16 0 19 20"},
		{14, 20, "1 2 0 11 12 13 14 15 16 17 18 19 20"}, {99, 20, "1 2 0 11 12 13 14 15 16 17 18 19 20"},
	} {
		got := fmt.Sprint(page{number: c.current, size: 1, total: c.last}.shown())
		if got != "["+c.want+"]" {
			t.Errorf("page %d of %d: %s, want %s", c.current, c.last, got, c.want)
		}
	}
}

// Values out of range are clamped, and an invalid value means the default.
func TestPageParameters(t *testing.T) {
	t.Parallel()
	h := startTable(t, pageRoute(1000))
	for _, c := range []struct {
		query      string
		page, size int
	}{
		{"", 1, 25}, {"page=3", 3, 25}, {"page=3&per_page=100", 3, 100}, {"page=007", 7, 25},
		{"page=0", 1, 25}, {"page=-4", 1, 25}, {"page=x", 1, 25}, {"page=", 1, 25}, {"page=2.0", 1, 25}, {"page=+2", 1, 25}, {"page=%2B2", 1, 25},
		{"page=99999999999999999999", maxPage, 25},
		{"per_page=0", 1, 1}, {"per_page=-5", 1, 1}, {"per_page=101", 1, 100}, {"per_page=99999999999999999999", 1, 100},
		{"per_page=-99999999999999999999", 1, 1}, {"per_page=ten", 1, 25}, {"per_page=", 1, 25}, {"per_page=1e1", 1, 25},
		{"page=2&page=4", 4, 25}, {"PAGE=2", 1, 25},
	} {
		var got struct {
			Meta struct {
				CurrentPage int `json:"current_page"`
				PerPage     int `json:"per_page"`
			}
		}
		a := h.do(call{method: "GET", path: "/list?" + c.query})
		if err := json.Unmarshal([]byte(a.body), &got); err != nil || got.Meta.CurrentPage != c.page || got.Meta.PerPage != c.size {
			t.Errorf("%q: page %d of %d rows (%v), want %d of %d", c.query, got.Meta.CurrentPage, got.Meta.PerPage, err, c.page, c.size)
		}
	}
}

// Every row of a list is on exactly one page.
func TestEveryRowIsOnOnePage(t *testing.T) {
	for total := range 40 {
		for size := 1; size < 12; size++ {
			next := 0
			for number := 1; number <= (page{size: size, total: total}).last(); number++ {
				from, to := page{number: number, size: size, total: total}.bounds()
				if from != next || to-from > size {
					t.Fatalf("%d rows by %d: page %d is %d to %d, want from %d", total, size, number, from, to, next)
				}
				next = to
			}
			if next != total {
				t.Fatalf("%d rows by %d: the pages end at %d", total, size, next)
			}
		}
	}
}

// Only a trusted proxy decides that the links have https.
func TestTheSchemeOfLinks(t *testing.T) {
	for _, c := range []struct {
		trusted, proto, want string
	}{
		{"0.0.0.0/32", "https", "https"}, {"0.0.0.0/32", "HTTPS", "https"}, {"0.0.0.0/32", "", "http"},
		{"0.0.0.0/32", "javascript", "http"}, {"192.0.2.0/24", "https", "http"},
	} {
		var ctx fasthttp.RequestCtx
		ctx.Request.Header.Set("X-Forwarded-Proto", c.proto)
		trusting := new(Server)
		trusting.Trust([]netip.Prefix{netip.MustParsePrefix(c.trusted)}, nil)
		if got := trusting.scheme(&ctx); got != c.want {
			t.Errorf("peer 0.0.0.0, trusted %s, proto %q: %s, want %s", c.trusted, c.proto, got, c.want)
		}
	}
}
