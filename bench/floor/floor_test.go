package floor_test

import (
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"cartd/bench/floor"
	"cartd/bench/shopper"
	"cartd/internal/redistest"
)

const (
	recordSize = 261
	answerSize = 1900
)

// serve starts a floor on a Redis and returns the way to it.
func serve(t *testing.T, url string, answers []floor.Answer) *shopper.Client {
	t.Helper()
	server, err := floor.New(url, answers)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = server.Serve(listener) }()
	way, err := shopper.NewClient("http://"+listener.Addr().String(), 64, 10*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		way.Close()
		_ = server.Close()
	})
	return way
}

// request returns the status and the body.
func request(t *testing.T, way *shopper.Client, method, path, token string) (int, string) {
	t.Helper()
	a, err := way.Send(&shopper.Request{Method: method, Path: path, Body: `{"quantity":2}`, Token: token})
	if err != nil {
		t.Error(err)
	}
	return a.Status, string(a.Body)
}

const (
	carts = "/v1/api/commerce/carts"
	cart  = carts + "/00000000-0000-4000-8000-000000000001"
)

// A write first stores a record of the given size under the cart's key, and is then answered. A read
// reads it. Answers have the given size and contain the cart's id.
func TestTheFloorStoresAndAnswersTheBytesAskedFor(t *testing.T) {
	redis := redistest.Mini(t)
	way := serve(t, redis.URL(), floor.CartAnswers(recordSize, answerSize))
	for _, c := range []struct {
		method, path string
		status       int
	}{
		{"POST", carts, 201}, {"POST", cart + "/lines", 201}, {"PATCH", cart + "/lines/x", 200}, {"DELETE", cart + "/lines/x", 200}, {"GET", cart, 200},
	} {
		status, body := request(t, way, c.method, c.path, "")
		if status != c.status || len(body) != answerSize {
			t.Errorf("%s %s: %d with %d bytes, want %d with %d", c.method, c.path, status, len(body), c.status, answerSize)
		}
		id := cart[len(carts)+1:]
		if c.path == carts {
			id = body[len(`{"data":{"id":"`):][:len(id)]
		}
		if !strings.Contains(body, `"id":"`+id) {
			t.Errorf("%s %s: the answer does not name cart %s: %.120s", c.method, c.path, id, body)
		}
		stored, err := redis.Mini.Get("{floor}:cart:" + id)
		if err != nil || len(stored) != recordSize {
			t.Errorf("%s %s: %d bytes are stored (%v), want %d", c.method, c.path, len(stored), err, recordSize)
		}
	}
	if status, _ := request(t, way, "PUT", cart, ""); status != 404 {
		t.Errorf("a request without an answer: %d, want 404", status)
	}
}

func TestACustomersRecordIsStoredUnderTheToken(t *testing.T) {
	redis := redistest.Mini(t)
	way := serve(t, redis.URL(), []floor.Answer{{Method: "DELETE", Path: "/addresses/{line}", Status: 204, Record: 7}})
	if status, body := request(t, way, "DELETE", "/addresses/a1", "ada"); status != 204 || body != "" {
		t.Errorf("%d %q, want 204 without a body", status, body)
	}
	if stored, err := redis.Mini.Get("{floor}:cart:ada"); err != nil || len(stored) != 7 {
		t.Errorf("%d bytes under the token (%v), want 7", len(stored), err)
	}
}

// Simultaneous requests share pipelines. Each is answered for its own cart.
func TestSimultaneousRequestsGetTheirOwnAnswers(t *testing.T) {
	redis := redistest.Mini(t)
	way := serve(t, redis.URL(), floor.CartAnswers(recordSize, answerSize))
	var all sync.WaitGroup
	for i := range 64 {
		all.Go(func() {
			id := fmt.Sprintf("00000000-0000-4000-8000-%012d", i)
			if status, body := request(t, way, "PATCH", carts+"/"+id+"/lines/x", ""); status != 200 || !strings.Contains(body, `"id":"`+id) {
				t.Errorf("cart %s: %d %.80s", id, status, body)
			}
		})
	}
	all.Wait()
	if n := len(redis.Mini.Keys()); n != 64 {
		t.Errorf("%d records are stored, want 64", n)
	}
}

// A write that Redis has not executed is not answered as done.
func TestWithoutRedisNothingIsAnsweredAsDone(t *testing.T) {
	redis := redistest.Mini(t)
	way := serve(t, redis.URL(), floor.CartAnswers(recordSize, answerSize))
	redis.Kill()
	for _, method := range []string{"GET", "POST"} {
		path := map[string]string{"GET": cart, "POST": carts}[method]
		if status, _ := request(t, way, method, path, ""); status != 503 {
			t.Errorf("%s without Redis: %d, want 503", method, status)
		}
	}
}

func TestInvalidAnswersAreRefused(t *testing.T) {
	for name, answers := range map[string][]floor.Answer{
		"none":                   nil,
		"without a status":       {{Method: "GET", Path: "/a"}},
		"a write of nothing":     {{Method: "POST", Path: "/a", Status: 200}},
		"a path that is no path": {{Method: "GET", Path: "a", Status: 200}},
	} {
		if _, err := floor.New("redis://127.0.0.1:1/0", answers); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
