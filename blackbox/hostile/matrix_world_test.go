package hostile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"cartd/internal/process"
)

// house is a running node with the two stores of the matrix.
type house struct {
	t    *testing.T
	base string
	http http.Client
	sent int // requests, each from an address of its own: no limit of callers counts
	node *process.Process
	// every is true if a key of each scope comes to each route.
	every bool
	// faults is the number of answers 5xx while Redis was damaged.
	faults int
}

// reply is an answer. The body of a stream is left unread.
type reply struct {
	status int
	header http.Header
	body   string
}

// enter starts a node on a Redis with the two stores.
func enter(t *testing.T, redis string) *house {
	t.Helper()
	text, err := os.ReadFile("../../cmd/cartd/demo/store.json")
	if err != nil {
		t.Fatal(err)
	}
	var keys, otherKeys []object
	for _, scope := range scopes {
		keys = append(keys, object{"name": scope, "key": keyOf(scope), "scopes": []string{scope}})
	}
	keys = append(keys, object{"name": "full", "key": fullKey, "scopes": scopes}, object{"name": "revoked", "key": revokedKey, "scopes": scopes, "revoked": true})
	otherKeys = append(otherKeys, object{"name": "full", "key": otherKey, "scopes": scopes})
	other := strings.NewReplacer(ownersEmail, "ada@other.example", ownersStore, "22222222-2222-4222-8222-222222222222")
	args := []string{"serve", "--listen", "127.0.0.1:0", "--redis", redis, "--trusted-proxies", "127.0.0.0/8", "--store-growth", "1000"}
	for i, store := range []object{adapted(t, string(text), keys), adapted(t, other.Replace(string(text)), otherKeys)} {
		text, err := json.Marshal(store)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), fmt.Sprint(i))
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, "--store", file)
	}
	n, err := process.Start(exec.Command(program, args...))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.Kill)
	addr, err := n.Address()
	if err != nil {
		t.Fatal(err)
	}
	return &house{t: t, base: "http://" + addr, node: n, http: http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{}}}
}

// adapted is the demo's document with other keys, an expired token, no bound on requests, quotes that a
// click accepts, and a book that never sells out.
func adapted(t *testing.T, text string, keys []object) object {
	t.Helper()
	var store object
	if err := json.Unmarshal([]byte(text), &store); err != nil {
		t.Fatal(err)
	}
	store["api_keys"] = keys
	settings := store["store"].(object)
	settings["rate_limit_per_minute"] = 2_000_000
	settings["quotes"].(object)["acceptance_mode"] = "click"
	ada := store["customers"].([]any)[0].(object)
	ada["tokens"] = append(ada["tokens"].([]any), object{"token": expiredToken, "expires_at": "2020-01-01T00:00:00Z"})
	for _, p := range store["products"].([]any) {
		if p := p.(object); p["id"] == aProduct {
			delete(p, "stock")
			p["track_stock"] = false
		}
	}
	return store
}

// send sends a request. It does not read the answer to a stream.
func (h *house) send(method, path, key, token, body string) reply {
	h.t.Helper()
	h.sent++
	fresh := strings.NewReplacer("{n}", fmt.Sprint(h.sent))
	r, err := http.NewRequest(method, h.base+fresh.Replace(path), strings.NewReader(fresh.Replace(body)))
	if err != nil {
		h.t.Fatal(err)
	}
	r.Header.Set("X-Forwarded-For", fmt.Sprintf("10.%d.%d.%d", h.sent>>16, h.sent>>8&255, h.sent&255))
	if key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	if token != "" {
		r.Header.Set("X-Customer-Token", token)
	}
	a, err := h.http.Do(r)
	if err != nil {
		h.t.Fatalf("%s %s: %v", method, path, err)
	}
	defer a.Body.Close()
	got := reply{status: a.StatusCode, header: a.Header}
	if a.Header.Get("Content-Type") == "text/event-stream" {
		return got
	}
	text, err := io.ReadAll(a.Body)
	if err != nil {
		h.t.Fatalf("%s %s: %v", method, path, err)
	}
	got.body = string(text)
	return got
}

// own sends a request of the owner with the full key and wants a success.
func (h *house) own(method, path, body string) reply {
	h.t.Helper()
	a := h.send(method, path, fullKey, owner, body)
	if a.status >= 300 {
		h.t.Fatalf("%s %s: got %d %s", method, path, a.status, a.body)
	}
	return a
}

// named are the names of a fixture in paths, and the read that shows whether it has changed.
type named struct {
	id, line, token string
	total           string            // of an order, in cents
	sessions        map[string]string // by the token in whose place they stand
	witness         string
}

var (
	aToken     = regexp.MustCompile(`"token":"([^"]+)"`)
	orderTotal = regexp.MustCompile(`"total":\{"amount":(\d+)`)
	firstLine  = regexp.MustCompile(`"lines":\[\{"id":"([^"]+)"`)
)

// idIn is the id of the record in an answer.
func idIn(body, name string) string {
	var answer struct{ Data object }
	_ = json.Unmarshal([]byte(body), &answer)
	id, _ := answer.Data[name].(string)
	return id
}

// make makes a fixture.
func (h *house) make(of fixture) named {
	h.t.Helper()
	switch of {
	case cart:
		id := idIn(h.own("POST", carts, "").body, "id")
		path := carts + "/" + id
		h.own("POST", path+"/lines", line)
		h.own("POST", path+"/discount", `{"code":"`+aCode+`"}`)
		bound := h.own("PATCH", path, `{"email":"`+ownersEmail+`"}`)
		return named{id: id, line: firstLine.FindStringSubmatch(bound.body)[1], witness: path}
	case order, paid, shipped:
		a := h.own("POST", carts+"/"+h.make(cart).id+"/checkout", "{"+delivery+"}")
		n := named{id: idIn(a.body, "id"), line: firstLine.FindStringSubmatch(a.body)[1], token: a.header.Get("X-Order-Token")}
		n.total = orderTotal.FindStringSubmatch(a.body)[1]
		n.witness = sales + "/" + n.id
		if of != order {
			h.own("POST", n.witness+"/payment", `{"reference":"r","amount":`+n.total+`}`)
		}
		if of == shipped {
			h.own("POST", n.witness+"/shipment", `{"carrier":"c"}`)
		}
		return n
	case quote:
		a := h.own("POST", carts+"/"+h.make(cart).id+"/quote-request", `{}`)
		n := named{id: idIn(a.body, "id"), token: aToken.FindStringSubmatch(a.body)[1]}
		n.witness = quotes + "/by-token/" + n.token
		return n
	case address:
		return named{id: idIn(h.own("POST", me+"/addresses", place).body, "id"), witness: me + "/addresses"}
	case session:
		sessions := map[string]string{}
		for token, login := range map[string]string{owner: ownersLogin, stranger: strangersLogin} {
			sessions[token] = aToken.FindStringSubmatch(h.own("POST", in+"/login", login).body)[1]
		}
		return named{sessions: sessions, witness: me}
	case account:
		return named{witness: me}
	case external:
		made := h.own("PUT", in+"/by-external-id/idp-{n}", `{"email":"elsewhere-{n}@example.com"}`)
		return named{id: idIn(`{"data":`+made.body+"}", "id")}
	case contents:
		return named{witness: goods + "/" + aBlind}
	}
	return named{}
}

// fill puts the names into a route's path.
func (d door) fill(n named) string {
	id := n.id
	switch {
	case strings.HasPrefix(d.path, goods), strings.HasPrefix(d.path, "/v1/api/configurator"):
		id = aBlind
	case strings.HasPrefix(d.path, "/v1/api/catalog/categories"):
		id = aCategory
	case strings.HasPrefix(d.path, "/v1/api/catalog/discounts"):
		id = aVoucher
	}
	path := strings.NewReplacer("{id}", id, "{lineId}", n.line, "{token}", n.token, "{external_id}", "idp-{n}", "{code}", aCode).Replace(d.path)
	switch {
	case strings.HasSuffix(path, "/shipping-methods"):
		path += "?country=NL"
	case strings.HasSuffix(path, "/availability"):
		path += "?product_ids[]=" + aStocked
	}
	return path
}

// show is what the owner sees of a fixture.
func (h *house) show(n named) string {
	if n.witness == "" {
		return ""
	}
	return string(bytes.TrimSpace([]byte(h.own("GET", n.witness, "").body)))
}
