//go:build long

package blackbox_test

import (
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"cartd/internal/redistest"
)

// versionOf is the version in an answer's ETag.
func versionOf(a answer) string {
	version, _, _ := strings.Cut(strings.Trim(a.header.Get("ETag"), `"`), ".")
	return version
}

// otherNodeWithin is the maximum time in which a change on another node shows, with a margin for a
// busy machine.
const otherNodeWithin = time.Second + 250*time.Millisecond

// A stream shows the changes of its own node and, within a second, those of others. Its data is the
// answer of GET, its id the version in the ETag.
func TestLongEventsOfTwoNodes(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	one := start(t, options{redis: r.URL(), stores: storeFiles(t, keyShop)}).client(t)
	two := one.on(start(t, options{redis: r.URL()}))
	path := one.newCart()
	one.patch(path, emailBody("begin@example.com")).wantStatus(200)
	s := one.follow(path)
	s.shows("begin@example.com")
	one.patch(path, emailBody("own@example.com")).wantStatus(200)
	s.shows("own@example.com")
	for range 3 {
		two.patch(path, emailBody("other@example.com")).wantStatus(200)
		began := time.Now()
		shown := s.shows("other@example.com")
		if took := time.Since(began); took > otherNodeWithin {
			t.Errorf("a change on another node showed after %v", took)
		}
		got := two.get(path).wantStatus(200)
		if shown.data != string(got.body) || !strings.HasPrefix(got.header.Get("ETag"), `"`+shown.id+".") {
			t.Errorf("the event is\n%+v\nGET answers ETag %s\n%s", shown, got.header.Get("ETag"), got.body)
		}
		one.patch(path, emailBody("again@example.com")).wantStatus(200)
		s.shows("again@example.com")
	}
	last := one.withHeader("Last-Event-ID", versionOf(one.get(path))).follow(path)
	one.patch(path, emailBody("last@example.com")).wantStatus(200)
	last.shows("last@example.com")
	detailed := one.follow(path, "?include=details")
	if e := detailed.next(); !strings.Contains(e.data, `"details":{`) {
		t.Errorf("with include=details: %s", e.data)
	}
}

// A stream ends when its cart is sold, folded into another one, or gone; on any node.
func TestLongEventsEndWithTheCart(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	here := start(t, options{redis: r.URL(), stores: []string{storeFile(t, base(), withShipping)}}).client(t)
	for _, other := range []client{here, here.on(start(t, options{redis: r.URL()}))} {
		sold := here.newCart()
		here.add(sold, hammer, "1")
		s := here.follow(sold)
		s.next()
		other.checkOut(sold, delivered).wantStatus(201)
		if e := s.next(); !strings.Contains(e.data, `"status":"converted"`) {
			t.Errorf("got %+v, want the sold cart", e)
		}
		s.ends("converted")
		again := here.follow(sold)
		again.next()
		again.ends("converted")

		folded := here.withToken(tokenAda).bound(adaEmail, "1", "")
		s = here.withToken(tokenAda).follow(folded)
		s.next()
		other.withToken(tokenAda).post(here.newCart()+"/claim", "").wantStatus(200)
		if e := s.next(); !strings.Contains(e.data, `"status":"merged"`) {
			t.Errorf("got %+v, want the folded cart", e)
		}
		s.ends("merged")
	}
	gone := here.newCart()
	s := here.follow(gone)
	s.next()
	r.Mini.FastForward(31 * 24 * time.Hour)
	s.ends("expired")
	if _, status := here.tryFollow(gone); status != 404 {
		t.Errorf("a stream of the cart that is gone: %d, want 404", status)
	}
}

// A node that stops ends its streams with a pause of 5 to 60 seconds, and exits.
func TestLongStopEndsStreams(t *testing.T) {
	t.Parallel()
	n := start(t, options{redis: redistest.Mini(t).URL(), stores: storeFiles(t, keyShop), flags: []string{"--access-log"}})
	shop := n.client(t)
	s := shop.follow(shop.newCart())
	s.next()
	n.send(t, syscall.SIGTERM)
	if e := s.ends("drain"); !regexp.MustCompile(`^([5-9]|[1-5][0-9])\d\d\d$`).MatchString(e.retry) {
		t.Errorf("retry: %s", e.retry)
	}
	if code := n.Await(); code != 0 {
		t.Errorf("exit status %d", code)
	}
	if line := regexp.MustCompile(`.*/events".*"status":200.*`).FindString(n.Log.String()); line == "" {
		t.Errorf("the access log has no line of the stream:\n%s", n.Log)
	}
}

// Streams cost Redis one comparison for each cart every 900 ms, all of them together.
func TestLongStreamsCostOneComparison(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	shop := start(t, options{redis: r.URL(), stores: storeFiles(t, keyShop)}).client(t)
	const carts, streams = 4, 3
	for range carts {
		path := shop.newCart()
		for range streams {
			shop.follow(path).next()
		}
	}
	w := countTrips(t, r)
	w.lines.Scan() // waits for the first command of a comparison
	w.collect()
	const comparisons = 3
	var all []string
	for began := time.Now(); len(all) < comparisons*carts; {
		all = append(all, strings.Fields(w.collect())...)
		if took := time.Since(began); took > comparisons*900*time.Millisecond+5*time.Second {
			t.Fatalf("%d commands in %v", len(all), took)
		} else if minimum := time.Duration(len(all)/carts-1) * 900 * time.Millisecond; len(all) >= carts && took < minimum-100*time.Millisecond {
			t.Fatalf("%d commands in %v", len(all), took)
		}
	}
	for _, kind := range all {
		if kind != "cart" {
			t.Errorf("a waiting stream sends a command for %q", kind)
		}
	}
}
