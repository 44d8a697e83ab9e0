package blackbox_test

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"
)

// stream is an open stream of a cart's events.
type stream struct {
	t      *testing.T
	header http.Header
	events chan event
	leave  context.CancelFunc
}

type event struct{ id, name, data, retry string }

// follow opens a stream of a cart; query begins with a question mark.
func (c client) follow(path string, query ...string) *stream {
	c.t.Helper()
	s, status := c.tryFollow(path, query...)
	if status != http.StatusOK {
		c.t.Fatalf("GET %s/events: %d, want 200", path, status)
	}
	return s
}

// tryFollow returns the status of the answer, with the stream of a success.
func (c client) tryFollow(path string, query ...string) (*stream, int) {
	c.t.Helper()
	ctx, leave := context.WithCancel(context.Background())
	c.t.Cleanup(leave)
	request, err := http.NewRequestWithContext(ctx, "GET", c.node.base+"/v1/api/"+path+"/events"+strings.Join(query, ""), nil)
	if err != nil {
		c.t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+c.key)
	if c.token != "" {
		request.Header.Set("X-Customer-Token", c.token)
	}
	for name, values := range c.extra {
		request.Header[name] = values
	}
	got, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(request)
	if err != nil {
		c.t.Fatal(err)
	}
	if got.StatusCode != http.StatusOK {
		got.Body.Close()
		return &stream{header: got.Header}, got.StatusCode
	}
	s := &stream{c.t, got.Header, make(chan event, 100), leave}
	go func() {
		defer got.Body.Close()
		defer close(s.events)
		var e event
		for lines := bufio.NewReader(got.Body); ; {
			line, err := lines.ReadString('\n')
			if err != nil {
				return
			}
			switch name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": "); name {
			case "id":
				e.id = value
			case "event":
				e.name = value
			case "data":
				e.data = value
			case "retry":
				e.retry = value
			case "":
				s.events <- e
				e = event{}
			}
		}
	}()
	return s, got.StatusCode
}

// next is the next event that is no ping.
func (s *stream) next() event {
	s.t.Helper()
	timer := time.NewTimer(pollWithin)
	defer timer.Stop()
	for {
		select {
		case e, open := <-s.events:
			if !open || e.name != "ping" {
				return e
			}
		case <-timer.C:
			s.t.Fatalf("no event within %v", pollWithin)
		}
	}
}

// shows wants a cart with an e-mail address next.
func (s *stream) shows(email string) event {
	s.t.Helper()
	e := s.next()
	var shown struct{ Data cart }
	if err := json.Unmarshal([]byte(e.data), &shown); err != nil || e.name != "cart" {
		s.t.Fatalf("got %+v, %v; want a cart", e, err)
	}
	if got := shown.Data.Email; got == nil || *got != email {
		s.t.Errorf("the event shows %s, want %s", e.data, email)
	}
	return e
}

// ends wants the end of the stream.
func (s *stream) ends(reason string) event {
	s.t.Helper()
	e := s.next()
	if want := `{"reason":"` + reason + `"}`; e.name != "end" || e.data != want {
		s.t.Errorf("got %+v, want the end with %s", e, want)
	}
	if after := s.next(); after != (event{}) {
		s.t.Errorf("after the end: %+v", after)
	}
	return e
}

func emailBody(email string) string { return `{"email":` + quoted(email) + `}` }

// The owner is judged again at each event: no other visitor sees a cart that becomes an account's, and
// its owner sees it until the logout.
func TestEventsEndForStrangers(t *testing.T) {
	t.Parallel()
	shop := serve(t, keyShop).withKey(keyAll)
	path := shop.newCart()
	guest := shop.follow(path)
	guest.next()
	token := shop.register("events@example.com").Token
	shop.withToken(token).patch(path, emailBody("events@example.com")).wantStatus(200)
	guest.ends("refused")
	if _, status := shop.tryFollow(path); status != 403 {
		t.Errorf("a stream of another account's cart: %d, want 403", status)
	}
	owner := shop.withToken(token).follow(path)
	owner.shows("events@example.com")
	second := shop.login("events@example.com", adaPassword).signedIn(200).Token
	shop.withToken(token).post("contacts/logout", "").wantStatus(204)
	shop.withToken(second).add(path, hammer, "1")
	owner.ends("refused")
}
