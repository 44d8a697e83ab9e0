//go:build long

package blackbox_test

import (
	"net/http"
	"strings"
	"testing"

	"cartd/internal/redistest"
)

// Spec: Addresses. A repeated write has its first status and the record's present state.
func TestLongAddressWriteIsAppliedOnce(t *testing.T) {
	nodes := freshPair(t)
	on := func(i int) client { return nodes[i%2].withKey(keyAll).withToken(tokenAda) }
	first := on(0).once(retryKey).post(addressesPath, addressBody).wantStatus(201).wantHeader("Idempotent-Replayed", "")
	path := addressesPath + "/" + first.address(201).ID
	for i := range 4 {
		on(i).once(retryKey).post(addressesPath, addressBody).wantReplay(201).want(201, string(first.body)).wantHeader("ETag", first.header.Get("ETag"))
	}
	on(1).once(retryKey).post(addressesPath, placed("work", "x", true)).want(422, keyReused)
	on(1).once(retryKey).remove(path).want(422, keyReused)
	// keys of two contacts do not meet
	nodes[0].withKey(keyAll).withToken(tokenTess).once(retryKey).post(addressesPath, addressBody).wantStatus(201).wantHeader("Idempotent-Replayed", "")
	on(0).once("patch").patch(path, `{"city":"Delft"}`).wantStatus(200).wantHeader("Idempotent-Replayed", "")
	now := on(1).once("patch").patch(path, `{"city":"Delft"}`).wantReplay(200)
	on(0).once(retryKey).post(addressesPath, addressBody).wantReplay(201).want(201, string(now.body)) // in its present state
	on(1).once("r").remove(path).wantStatus(204).wantHeader("Idempotent-Replayed", "")
	on(0).once("r").remove(path).wantReplay(204)
	id := strings.TrimPrefix(path, addressesPath+"/")
	on(0).once(retryKey).post(addressesPath, addressBody).want(404, unknownAddress(id)) // deleted since
	on(1).once("patch").patch(path, `{"city":"Delft"}`).want(404, unknownAddress(id))
	on(0).wantBook()
	on(0).once("me").patch("contacts/me", `{"phone":"1"}`).wantStatus(200)
	on(1).once("me").patch("customers/me", `{"phone":"1"}`).wantReplay(200)
}

// Every answer about a contact has the contact's version, and If-Match compares it.
func TestLongAddressesHaveVersions(t *testing.T) {
	t.Parallel()
	nodes := pair(t, redistest.Mini(t), keyShop)
	on := func(i int) client { return nodes[i%2].withKey(keyAll).withToken(tokenAda) }
	tag, empty, _ := on(0).get(addressesPath).tag()
	on(1).ifNoneMatch(tag).get(addressesPath).wantStatus(http.StatusNotModified).wantHeader("ETag", tag)
	a := on(1).ifMatch(tag).post(addressesPath, addressBody)
	path := addressesPath + "/" + a.address(201).ID
	_, made, _ := a.tag()
	_, listed, _ := on(0).get(addressesPath).tag()
	_, profile, _ := on(1).get("contacts/me").tag()
	if made == empty || listed != made || profile != made {
		t.Errorf("versions %s, made %s, listed %s, of the profile %s; want a new one, thrice the same", empty, made, listed, profile)
	}
	for i, write := range []func(client) answer{
		func(c client) answer { return c.post(addressesPath, addressBody) },
		func(c client) answer { return c.patch(path, `{"city":"Delft"}`) },
		func(c client) answer { return c.remove(path) },
		func(c client) answer { return c.patch("contacts/me", `{"phone":"1"}`) },
	} {
		stale := write(on(i).ifMatch(tag)).want(412, bookChanged)
		if current, version, _ := stale.tag(); version != made || current != on(0).get(addressesPath).header.Get("ETag") {
			t.Errorf("%v\nETag %s, want that of the list", stale, current)
		}
	}
	on(0).ifMatch(tag).remove(addressesPath+"/"+unknownID).want(404, unknownAddress(unknownID)) // 404 comes ahead of 412
	_, patched, _ := on(0).ifMatch(a.header.Get("ETag")).patch(path, `{"city":"Delft"}`).wantStatus(200).tag()
	_, removed, _ := on(1).ifMatch(`W/"x", ` + on(0).get(addressesPath).header.Get("ETag")).remove(path).wantStatus(204).tag()
	if patched == made || removed == patched {
		t.Errorf("versions %s, %s, %s; want three", made, patched, removed)
	}
	on(1).ifMatch("*").post(addressesPath, addressBody).wantStatus(201)
}
