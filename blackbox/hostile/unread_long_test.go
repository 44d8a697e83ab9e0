//go:build long

package hostile

import (
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"cartd/bench/shopper"
	"cartd/blackbox"
	"cartd/internal/process"
)

// unreadAnswers is the number of answers of one route that wait at a time.
const unreadAnswers = 2000

// Answers that nobody reads, 2,000 of each of the ten routes with the largest, end no node of 1 GiB, and
// another store's requests wait for less than a second meanwhile.
func TestLongUnreadAnswersEndNoNode(t *testing.T) {
	redis, flags := largeStores(t)
	n, addr := run(t, inGibibyte(redis, flags))
	wantToLive(t, reached(t, n, addr), n)
}

// The same through the HAProxy of deploy, with two nodes.
func TestLongUnreadAnswersBehindHAProxy(t *testing.T) {
	redis, flags := largeStores(t)
	behind := []string{"--trusted-proxies", "127.0.0.0/8"}
	one, first := run(t, inGibibyte(redis, append(flags, behind...)))
	two, second := run(t, inGibibyte(redis, append(flags, behind...)))
	router := blackbox.Route(t, blackbox.Sticky, first, second)
	wantToLive(t, reached(t, one, router.Addr), one, two)
}

// inGibibyte starts a node as deploy/compose.yaml does: in 1 GiB of memory. The stacks of threads are small,
// because the limit counts them whole.
func inGibibyte(redis string, flags []string) *exec.Cmd {
	const limited = `ulimit -d 1048576; ulimit -s 1024; exec "$0" "$@"`
	args := append([]string{"-c", limited, program, "serve", "--listen", "127.0.0.1:0", "--redis", redis}, flags...)
	cmd := exec.Command("sh", args...)
	cmd.Env = []string{"GOMEMLIMIT=900MiB"}
	return cmd
}

// largeStores are two stores in a Redis of their own. The attacked one has long names, many variants,
// attributes and discounts.
func largeStores(t *testing.T) (redis string, flags []string) {
	t.Helper()
	r := process.NewRedis(t.TempDir())
	if err := r.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Kill)
	products := append(productsOf(1000, 0), product(1000, 1000))
	name := strings.Repeat("x", 240)
	for i, p := range products {
		p["name"], p["description"] = fmt.Sprint(name, i), name
		p["attributes"] = object{"Colour": fmt.Sprint("c", i%50), "Size": fmt.Sprint(i % 50)}
	}
	var discounts []object
	for i := range 50 {
		discounts = append(discounts, object{"id": fmt.Sprintf("d0000000-0000-4000-8000-%012d", i), "name": "D", "kind": "products",
			"value": object{"type": "percent", "percent": "1"}})
	}
	return r.URL(), twoStores(t, products, discounts)
}

var quoteToken = regexp.MustCompile(`"token":"([^"]+)"`)

// wantToLive sends the requests and reads no answer.
func wantToLive(t *testing.T, g *target, nodes ...*process.Process) {
	t.Helper()
	other, cart := g.newCart(victim, 1), g.newCart(attacker, 500)
	quote := g.want(http.StatusCreated, shopper.Request{Method: "POST", Path: g.newCart(attacker, 500) + "/quote-request", Body: `{"email":"a@b.co"}`})
	var lines []string
	for i := range 100 {
		lines = append(lines, fmt.Sprintf(`{"product_id":%q,"quantity":1}`, productID(i)))
	}
	basket := `{"lines":[` + strings.Join(lines, ",") + `]}`
	token := quoteToken.FindStringSubmatch(string(quote.Body))[1]
	sized := func(body string) string { return fmt.Sprint("Content-Length: ", len(body)) }
	catalogue := "/v1/api/catalog/"
	for _, route := range []struct {
		name    string
		request func(i int) string
	}{
		{"description", func(i int) string { return fmt.Sprintf("GET /openapi.json HTTP/1.1\r\nHost: h%d.example\r\n\r\n", i) }},
		{"rules", func(i int) string {
			return fmt.Sprintf("GET /docs/api/lines.md HTTP/1.1\r\nHost: h%d.example\r\n\r\n", i)
		}},
		{"cart", func(int) string { return head("GET", cart+"?include=details", attacker) }},
		{"change", func(int) string { return head("PATCH", cart+"?include=details", attacker, sized("{}")) + "{}" }},
		{"explanation", func(int) string { return head("GET", cart+"/explain", attacker) }},
		{"products", func(int) string { return head("GET", catalogue+"products?per_page=100&include=facets", attacker) }},
		{"variants", func(int) string { return head("GET", catalogue+"products/p1000", attacker) }},
		{"links", func(int) string {
			return head("GET", catalogue+"sitemap?per_page=1000&x="+strings.Repeat("x", 8<<10), attacker)
		}},
		{"price", func(int) string { return head("POST", "/v1/api/commerce/price", attacker, sized(basket)) + basket }},
		{"quote", func(int) string { return head("GET", "/v1/api/sales/quotes/by-token/"+token, attacker) }},
	} {
		worst, err := g.besideUnread(other, route.request)
		for i, n := range nodes {
			if closed(n.Exited) {
				t.Fatalf("%s: node %d has ended:\n%.3000s", route.name, i, n.Log)
			}
		}
		t.Logf("%s: another store's requests waited %v at most", route.name, worst)
		if err != nil || worst > time.Second {
			t.Errorf("%s: another store's requests waited %v, %v", route.name, worst, err)
		}
	}
	for i, n := range nodes {
		t.Logf("node %d has used %d MiB", i, reached(t, n, g.addr).maxMemory()>>20)
	}
	g.want(http.StatusOK, shopper.Request{Method: "GET", Path: cart})
}

// besideUnread sends requests, and reads no answer. It returns how long a request of the other store waited
// at most meanwhile, and what was wrong with one.
func (g *target) besideUnread(other string, request func(i int) string) (worst time.Duration, wrong error) {
	g.t.Helper()
	watched, stop := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(watched)
		for !closed(stop) {
			began := time.Now()
			a, err := g.Send(&shopper.Request{Method: "GET", Path: other, Key: victim})
			worst = max(worst, time.Since(began))
			if err == nil && a.Status != http.StatusOK {
				err = fmt.Errorf("status %d", a.Status)
			}
			if err != nil {
				wrong = err
				return
			}
		}
	}()
	unread := make([]net.Conn, 0, unreadAnswers)
	for i := range unreadAnswers {
		c, err := net.Dial("tcp", g.addr)
		if err != nil {
			break // the node has ended
		}
		unread = append(unread, c)
		c.Write([]byte(request(i)))
	}
	time.Sleep(time.Second) // the answers wait
	close(stop)
	<-watched
	for _, c := range unread {
		c.Close()
	}
	return worst, wrong
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
