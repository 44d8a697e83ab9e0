package blackbox_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"cartd/internal/redistest"
)

const (
	awaitsApproval = `{"message":"This account is awaiting approval.","code":"b2b_approval_required"}`
	company        = `,"company_name":" Hotel Zee ","registration_number":"R1","vat_id":"V1","phone":"020"`
	noAccount      = "d0000000-0000-4000-8000-00000000dead"
)

// registration is the body of a registration with these further members.
func registration(email, members string) string {
	return `{"email":` + quoted(email) + `,"password":` + quoted(adaPassword) + members + `}`
}

// contactEvent is what a webhook says of a contact.
type contactEvent struct {
	Event   string
	StoreID string `json:"store_id"`
	Contact json.RawMessage
}

// contactEvents are the accepted events about contacts, by their names and ids.
func (v *receiver) contactEvents() (names []string, bodies map[string]json.RawMessage) {
	v.t.Helper()
	bodies = map[string]json.RawMessage{}
	for _, text := range v.events() {
		var e contactEvent
		var who struct{ ID string }
		if err := json.Unmarshal([]byte(text), &e); err != nil || e.StoreID != storeBase {
			v.t.Fatalf("the event is %s (%v)", text, err)
		}
		if err := json.Unmarshal(e.Contact, &who); err != nil {
			v.t.Fatalf("the event is %s (%v)", text, err)
		}
		names = append(names, e.Event+" "+who.ID)
		bodies[e.Event+" "+who.ID] = e.Contact
	}
	slices.Sort(names)
	return names, bodies
}

// approves runs cartd customer --approve on the base store.
func approves(t *testing.T, r *redistest.Server, args ...string) finished {
	t.Helper()
	return runs(t, append([]string{"customer", "--redis", r.URL(), "--store", storeBase, "--approve"}, args...)...)
}

func (f finished) wantOut(t *testing.T, stdout string) {
	t.Helper()
	if f.code != 0 || f.stdout != stdout {
		t.Fatalf("cartd %v\n got: exit %d\n%s%s\nwant: exit 0 and %s", f.args, f.code, f.stdout, f.stderr, stdout)
	}
}

// companyProfile is the profile of an account as an event and contacts/me show it.
type companyProfile struct {
	ID, Kind, Phone    string
	DisplayName        string                     `json:"display_name"`
	CompanyName        string                     `json:"company_name"`
	RegistrationNumber string                     `json:"registration_number"`
	VATID              string                     `json:"vat_id"`
	Group              *struct{ ID, Name string } `json:"customer_group"`
}

func (a answer) companyProfile() (p companyProfile) {
	a.t.Helper()
	a.wantStatus(200)
	if err := json.Unmarshal(a.body, &p); err != nil {
		a.t.Fatalf("%v: %v", a, err)
	}
	return p
}

// A business registers, awaits its approval, is approved by the command and orders. Each webhook
// comes once.
func TestABusinessRegistersAndIsApproved(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	v := newReceiver(t, takes)
	hook := setting("webhooks", list{object{"url": v.URL, "secret": hookSecret, "events": list{"contact.registered", "contact.approved"}}})
	file := storeFile(t, base(), hook)
	c := start(t, options{redis: r.URL(), stores: []string{file}, flags: []string{"--webhook-allow-private"}}).client(t).withKey(keyAll)
	in := c.post("contacts/register", registration("zee@example.com", `,"kind":"b2b"`+company)).signedIn(201)
	c.post("contacts/register", registration("zee@example.com", `,"kind":"b2b"`+company)).wantStatus(422) // no event
	id, mine := in.Contact.ID, c.withToken(in.Token)
	want := companyProfile{ID: id, Kind: "b2b", Phone: "020", DisplayName: "Hotel Zee", CompanyName: "Hotel Zee", RegistrationNumber: "R1", VATID: "V1"}
	if got := mine.get("contacts/me").companyProfile(); got != want {
		t.Errorf("the profile is %+v, want %+v", got, want)
	}
	path := mine.newCart()
	mine.add(path, booklet, "1")
	mine.post(path+"/checkout", `{"email":"zee@example.com"}`).want(422, awaitsApproval)
	approves(t, r, id).wantOut(t, "approved customer "+id+"\n")
	approves(t, r, id).wantOut(t, "customer "+id+" was approved already\n")
	approves(t, r, id, "--group", groupTrade).wantOut(t, "customer "+id+" was approved already; its group is "+groupTrade+"\n")
	approved := mine.get("contacts/me")
	if got := approved.companyProfile().Group; got == nil || got.ID != groupTrade || got.Name != "Trade" {
		t.Errorf("%v\nwant: the group Trade", approved)
	}
	mine.post(path+"/checkout", `{"email":"zee@example.com"}`).wantStatus(201)

	sole := c.post("contacts/register", registration("sole@example.com", `,"first_name":"Sole"`+company)).signedIn(201) // a consumer's company is stored too
	if got := c.withToken(sole.Token).get("contacts/me").companyProfile(); got.Kind != "b2c" || got.CompanyName != "Hotel Zee" || got.DisplayName != "Sole" {
		t.Errorf("the consumer's profile is %+v", got)
	}

	last := c.register("last@example.com").Contact.ID // events of a store arrive in order
	all := []string{"contact.approved " + id, "contact.registered " + id, "contact.registered " + sole.Contact.ID, "contact.registered " + last}
	slices.Sort(all)
	poll(t, "an event of each act", func() bool { return len(v.events()) >= len(all) })
	client := r.Client()
	poll(t, "an empty outbox", func() bool { return client.Exists(t.Context(), "{"+storeBase+"}:outbox").Val() == 0 })
	names, bodies := v.contactEvents()
	if !slices.Equal(names, all) || v.requests() != len(all) {
		t.Errorf("%d requests with the events %q, want %q once each", v.requests(), names, all)
	}
	for _, name := range []string{"contact.approved " + id, "contact.registered " + id} {
		var got companyProfile
		if err := json.Unmarshal(bodies[name], &got); err != nil || got != want {
			t.Errorf("%s says %s (%v), want %+v", name, bodies[name], err, want)
		}
	}

	history := runs(t, "history", "--redis", r.URL(), "--store", storeBase)
	_, acts, _ := strings.Cut(history.stdout, "ACT")
	if n := strings.Count(acts, "approve  "+id); n != 2 { // the approval and the group, not the repetition
		t.Errorf("cartd history has %d approvals, want 2:\n%s", n, history.stdout)
	}
}
