package blackbox_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"testing"

	"cartd/internal/redistest"
)

// businesses adds accounts that await approval.
func businesses(n int) func(object) {
	return func(document object) {
		for i := range n {
			document["customers"] = append(document["customers"].(list),
				object{"id": customerOf(i), "email": fmt.Sprintf("business%d@example.com", i), "kind": "b2b", "approved": false})
		}
	}
}

func customerOf(i int) string { return fmt.Sprintf("53000000-0000-4000-8000-%012d", i) }

// Two nodes approve one business at one moment: it is approved once, with one event and one row of the history. With the same
// version in If-Match one request is answered 412.
func TestTwoNodesApproveABusiness(t *testing.T) {
	t.Parallel()
	const rounds = 40
	r := redistest.Real(t)
	v := newReceiver(t, takes)
	file := storeFile(t, base(), desk, businesses(rounds+1),
		setting("webhooks", list{object{"url": v.URL, "secret": hookSecret, "events": list{"contact.approved"}}}))
	var nodes [2]client
	for i := range nodes {
		nodes[i] = start(t, options{redis: r.URL(), stores: []string{file}, flags: []string{"--webhook-allow-private"}}).client(t).withKey(keyDesk)
	}
	var want []string
	for round := range rounds {
		id := customerOf(round)
		path, versioned := "contacts/"+id, round%2 == 1
		tag := nodes[round%4/2].get(path).wantStatus(200).header.Get("ETag")
		var got [2]answer
		var both sync.WaitGroup
		for i, c := range nodes {
			if versioned {
				c = c.withHeader("If-Match", tag)
			}
			both.Go(func() { got[i], _ = c.try("PATCH", path, `{"approved":true}`) })
		}
		both.Wait()
		statuses := []int{got[0].status, got[1].status}
		slices.Sort(statuses)
		wanted := []int{200, 200}
		if versioned {
			wanted[1] = 412
		}
		if !slices.Equal(statuses, wanted) {
			t.Fatalf("round %d: %v\n%v\nwant %v", round, got[0], got[1], wanted)
		}
		var now struct{ Approved bool }
		nodes[0].get(path).wantStatus(200).decode(&now)
		for _, a := range got {
			if a.status == 412 {
				var current struct{ Message string }
				if a.decode(&current); current.Message != "The contact has changed." {
					t.Errorf("round %d: %v", round, a)
				}
			}
		}
		if tag == nodes[1].get(path).header.Get("ETag") || !now.Approved {
			t.Errorf("round %d: the contact is %+v under %s", round, now, tag)
		}
		want = append(want, "contact.approved "+id)
	}
	nodes[0].patch("contacts/"+customerOf(rounds), `{"approved":true}`).wantStatus(200) // events of a store arrive in order
	want = append(want, "contact.approved "+customerOf(rounds))
	poll(t, "an event of each approval", func() bool { return len(v.events()) >= len(want) })
	db := r.Client()
	poll(t, "an empty outbox", func() bool { return db.Exists(t.Context(), "{"+storeBase+"}:outbox").Val() == 0 })
	if names := v.contactEvents(); !slices.Equal(names, want) || v.requests() != len(want) {
		t.Errorf("%d requests with the events %q, want %q once each", v.requests(), names, want)
	}
	var history struct {
		Data []struct{ Key, Act, On string }
	}
	nodes[1].withKey(keyReads).get("history").wantStatus(200).decode(&history)
	rows := map[string]int{}
	for _, row := range history.Data {
		if row.Act == "changeContact" && row.Key == "desk" {
			rows[row.On]++
		}
	}
	for i := range rounds + 1 {
		if id := customerOf(i); rows[id] != 1 {
			t.Errorf("%d rows of the history are about %s, want 1", rows[id], id)
		}
	}
}

// contactEvents are the accepted events about contacts, by their names and ids.
func (v *receiver) contactEvents() (names []string) {
	v.t.Helper()
	for _, text := range v.events() {
		var e struct {
			Event   string
			StoreID string `json:"store_id"`
			Contact struct{ ID string }
		}
		if err := json.Unmarshal([]byte(text), &e); err != nil || e.StoreID != storeBase {
			v.t.Fatalf("the event is %s (%v)", text, err)
		}
		names = append(names, e.Event+" "+e.Contact.ID)
	}
	slices.Sort(names)
	return names
}
