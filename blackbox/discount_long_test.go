//go:build long

package blackbox_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"cartd/internal/redistest"
)

// One caller may try 20 unknown codes in ten minutes on one cart, on all nodes together; after that every
// code is refused there. An inactive code is an unknown one.
func TestLongGuessingCodesIsSlowed(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	now := time.Now()
	r.Mini.SetTime(now)
	files := []string{storeFile(t, base(), withDiscounts), storeFile(t, another(storeOther, keyOther, nil))}
	var nodes [2]client
	for i := range nodes {
		nodes[i] = start(t, options{redis: r.URL(), stores: files, flags: []string{"--trusted-proxies", "127.0.0.1"}}).client(t)
	}
	shop := nodes[0]
	path := shop.newCart()
	for i := range 20 {
		guess := fmt.Sprint("guess", i)
		for path, body := range map[string]string{
			path: `{}`, "commerce/carts/" + unknownID: `{"code":"guess"}`, // a request that shows nothing about a code does not count
		} {
			if status := shop.post(path+"/discount", body).status; status != 422 && status != 404 {
				t.Errorf("%s %s: %d", path, body, status)
			}
		}
		shop.attach(path, "FIVE").wantStatus(200).wantHeader("X-RateLimit-Limit", "2000000") // nor does one that the store has
		if i%2 == 1 {
			guess = fmt.Sprint("OFF", strings.Repeat(" ", i)) // inactive
		}
		first := nodes[i%2].once(fmt.Sprint("attach", i)).attach(path, guess).wantStatus(200)
		first.wantHeader("X-RateLimit-Limit", "20").wantHeader("X-RateLimit-Remaining", strconv.Itoa(19-i))
		nodes[i%2].once(fmt.Sprint("attach", i)).attach(path, guess).wantReplay(200) // nor a repetition
	}
	before := shop.get(path)
	for _, code := range []string{"guess", "OFF", "FIVE"} {
		nodes[1].attach(path, code).want(429, tooMany).wantHeader("Retry-After", "600").wantHeader("X-RateLimit-Limit", "20").
			wantHeader("X-RateLimit-Remaining", "0").wantHeader("X-RateLimit-Reset", strconv.FormatInt(now.Add(10*time.Minute+time.Second-time.Nanosecond).Unix(), 10))
	}
	shop.get(path).want(200, string(before.body)).wantHeader("ETag", before.header.Get("ETag")) // nothing was written
	shop.remove(path + "/discount").wantStatus(200)
	shop.attach(shop.newCart(), "guess").wantStatus(200).wantHeader("X-RateLimit-Remaining", "19") // another cart of the caller
	shop.withHeader("X-Forwarded-For", "192.0.2.7").attach(path, "guess").wantStatus(200)          // another caller
	other := shop.withKey(keyOther)
	other.attach(other.newCart(), "guess").wantStatus(200) // another store
	r.Mini.SetTime(now.Add(10 * time.Minute))
	shop.attach(path, "FIVE").wantStatus(200)
}
