package commerce

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
)

// book is a contact and its visitor.
type book struct {
	*testing.T
	contact *Contact
	in      Input
	// deleted are the addresses that are kept after their deletion.
	deleted []DeletedAddress
}

func newBook(t *testing.T) *book {
	return &book{T: t, contact: &Contact{ID: testID(0xada), Approved: true, Session: 3, PasswordHash: "old"}, in: Input{
		Store: testShop(), Now: noon, Visitor: Visitor{Known: true, CustomerID: testID(0xada), Session: Session{Number: 3, ExpiresAt: 9}},
	}}
}

// changedContact is the result of a command.
type changedContact struct {
	Contact *Contact
	Effects Effects
}

// try runs a command and drops its result. The given contact must stay as it was.
func (b *book) try(cmd contactCommand) (changedContact, *Refusal) {
	b.Helper()
	before := fmt.Sprintf("%+v", *b.contact)
	var changed changedContact
	refusal := cmd.Locate(b.contact)
	if refusal == nil {
		changed.Contact, changed.Effects, refusal = ChangeContact(b.contact, cmd, &b.in)
	}
	if after := fmt.Sprintf("%+v", *b.contact); after != before {
		b.Fatalf("%#v changed the given contact\nfrom %s\nto   %s", cmd, before, after)
	}
	return changed, refusal
}

// do runs a command that must succeed, and keeps the new contact.
func (b *book) do(cmd contactCommand) changedContact {
	b.Helper()
	changed, refusal := b.try(cmd)
	if refusal != nil {
		b.Fatalf("%#v: %v", cmd, refusal)
	}
	b.contact = changed.Contact
	if gone := changed.Effects.Deleted; gone != nil {
		b.deleted = append(b.deleted, *gone...)
	}
	return changed
}

func (b *book) refuse(cmd contactCommand, want *Refusal) {
	b.Helper()
	if _, got := b.try(cmd); !reflect.DeepEqual(got, want) {
		b.Errorf("%#v: got %v; want %v", cmd, got, want)
	}
}

func addAddress(n int, kind string, isDefault bool) AddAddress {
	return AddAddress{Address{ID: testID(n), Type: kind, IsDefault: isDefault, Name: fmt.Sprint(n), Country: "NL"}}
}

func ptr[T any](v T) *T { return &v }

func listed(c *Contact) (list []Address) {
	for a := range c.Listed() {
		list = append(list, *a)
	}
	return list
}

// modelBook is a slow, obvious model of a list of addresses.
type modelBook struct{ made, gone []Address }

func (m *modelBook) live() []Address {
	var live []Address
	for _, isDefault := range []bool{true, false} {
		for _, a := range m.made {
			if a.IsDefault == isDefault {
				live = append(live, a)
			}
		}
	}
	return live
}

func (m *modelBook) clearDefaults(at int) {
	for i := range m.made {
		if i != at && m.made[at].IsDefault && m.made[i].Type == m.made[at].Type {
			m.made[i].IsDefault = false
		}
	}
}

// Spec: Address, rules 2 and 3; PATCH body (Addresses).
func TestAddressesMatchTheModel(t *testing.T) {
	for seed := range uint64(60) {
		dice := rand.New(rand.NewPCG(seed, 6))
		b, m := newBook(t), &modelBook{}
		for n := range 60 {
			b.in.Now = b.in.Now.Add(time.Second)
			at := -1
			if len(m.made) > 0 {
				at = dice.IntN(len(m.made))
			}
			kind, isDefault := AddressTypes[dice.IntN(3)], dice.IntN(2) == 0
			switch {
			case at < 0 || dice.IntN(3) == 0:
				add := addAddress(n+1, kind, isDefault)
				b.do(add)
				m.made = append(m.made, add.Address)
				m.clearDefaults(len(m.made) - 1)
			case dice.IntN(3) == 0:
				b.do(RemoveAddress{m.made[at].ID.String()})
				m.gone = append(m.gone, m.made[at])
				m.made = slices.Delete(m.made, at, at+1)
			default:
				patch := PatchAddress{AddressID: m.made[at].ID.String()}
				if dice.IntN(2) == 0 {
					patch.Fields.Texts[AddressType], m.made[at].Type = &kind, kind
				}
				if dice.IntN(2) == 0 {
					patch.Fields.IsDefault, m.made[at].IsDefault = &isDefault, isDefault
				}
				m.clearDefaults(at)
				b.do(patch)
			}
			if got, want := listed(b.contact), m.live(); !slices.Equal(got, want) {
				t.Fatalf("seed %d, step %d:\n got %+v\nwant %+v", seed, n, got, want)
			}
		}
		for _, a := range m.gone {
			if b.contact.Address(a.ID) != nil || !slices.ContainsFunc(b.deleted, func(kept DeletedAddress) bool { return kept.ID == a.ID }) {
				t.Fatalf("seed %d: address %v is not kept, or not gone", seed, a.ID)
			}
		}
	}
}

func TestADeletedAddressIsKept(t *testing.T) {
	b := newBook(t)
	b.do(addAddress(1, "work", true))
	b.in.Now = noon.Add(time.Minute)
	b.do(RemoveAddress{testID(1).String()})
	want := []DeletedAddress{{addAddress(1, "work", false).Address, b.in.Now}}
	if !slices.Equal(b.deleted, want) {
		t.Errorf("kept %+v; want %+v", b.deleted, want)
	}
	b.do(addAddress(2, "work", true))
	if len(b.deleted) != len(want) {
		t.Errorf("kept again: %+v", b.deleted[len(want):])
	}
}

func TestAFullBookTakesNoAddress(t *testing.T) {
	b := newBook(t)
	for n := range MaxAddresses {
		b.do(addAddress(n+1, "work", true))
	}
	b.refuse(addAddress(999, "work", true), AddressBookFull)
	b.do(RemoveAddress{testID(7).String()})
	b.do(addAddress(999, "work", true))
	b.refuse(addAddress(1000, "work", true), AddressBookFull)
}

func TestPasswords(t *testing.T) {
	token := HashSecret([]byte("reset"))
	b := newBook(t)
	b.refuse(ResetPassword{Token: token, Hash: "new"}, ResetTokenInvalid) // no reset was requested
	b.refuse(ResetPassword{Hash: "new"}, ResetTokenInvalid)
	event := &Event{Name: EventPasswordReset}
	if got := b.do(AskReset{Token: token, Event: event}); got.Effects.Event != event || got.Contact.Session != 3 {
		t.Errorf("asking: %+v", got)
	}
	b.in.Now = noon.Add(ResetLifetime)
	b.refuse(ResetPassword{Token: token, Hash: "new"}, ResetTokenInvalid)
	b.in.Now = noon.Add(ResetLifetime - time.Millisecond)
	b.refuse(ResetPassword{Token: HashSecret([]byte("other")), Hash: "new"}, ResetTokenInvalid)
	if got := b.do(ResetPassword{Token: token, Hash: "new"}).Contact; got.PasswordHash != "new" || got.Session != 4 || got.Resets[0].Hash != (KeyHash{}) {
		t.Errorf("reset to %+v", *got)
	}
	b.in.Visitor = Visitor{}
	b.refuse(ResetPassword{Token: token, Hash: "newer"}, ResetTokenInvalid) // used
	b.refuse(ResetPassword{Hash: "newer"}, ResetTokenInvalid)
	b.in.Visitor = Visitor{Known: true, Session: Session{Number: 4, ExpiresAt: 9, Token: token}}
	b.refuse(ChangePassword{Verified: "old", Hash: "newer"}, PasswordIncorrect)
	got := b.do(ChangePassword{Verified: "new", Hash: "newer"})
	want := SessionMove{From: b.in.Visitor.Session, To: Session{Number: 5, ExpiresAt: 9, Token: token}}
	if got.Contact.PasswordHash != "newer" || got.Contact.Session != 5 || *got.Effects.Session != want {
		t.Errorf("changed to %+v, %+v", *got.Contact, got.Effects.Session)
	}
	if r := MayReset(&Contact{Guest: true, Resets: []PasswordReset{{Hash: token, ExpiresAt: noon.Add(ResetLifetime)}}}, token, noon); r != ResetTokenInvalid {
		t.Errorf("a guest may reset: %v", r)
	}
}

// docs/api/customers.md#account: at most 3 resets an hour. The last two are valid, and a new password
// ends both, but they still count.
func TestTheLastTwoResetsAreValid(t *testing.T) {
	b := newBook(t)
	b.in.Visitor = Visitor{}
	token := func(n int) KeyHash { return HashSecret([]byte{byte(n)}) }
	ask := func(n int) { b.do(AskReset{Token: token(n)}) }
	valid := func(want ...int) {
		t.Helper()
		var got []int
		for n := range 9 {
			if MayReset(b.contact, token(n), b.in.Now) == nil {
				got = append(got, n)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%v can be used; want %v", got, want)
		}
	}
	ask(0)
	valid(0)
	b.in.Now = noon.Add(time.Minute)
	ask(1)
	valid(0, 1)
	ask(2)
	valid(1, 2)
	before := b.contact
	b.refuse(AskReset{Token: token(3)}, TooManyAttempts)
	b.in.Now = noon.Add(ResetLifetime - time.Millisecond)
	b.refuse(AskReset{Token: token(3)}, TooManyAttempts)
	b.in.Now = noon.Add(ResetLifetime)
	ask(3) // the first has left the hour
	valid(2, 3)
	b.refuse(AskReset{Token: token(4)}, TooManyAttempts)
	b.do(ResetPassword{Token: token(2), Hash: "new"})
	valid()
	b.refuse(AskReset{Token: token(4)}, TooManyAttempts)
	if MayReset(before, token(2), noon) != nil {
		t.Error("a new password changed the given contact")
	}
	b.in.Now = noon.Add(2 * ResetLifetime)
	ask(5)
	valid(5)
	if n := len(b.contact.Resets); n != 1 {
		t.Errorf("%d resets are kept; want the one of the last hour", n)
	}
	ask(6)
	b.in.Visitor = Visitor{Known: true, Session: Session{Number: b.contact.Session}}
	b.do(ChangePassword{Verified: "new", Hash: "newer"})
	valid()
}

func TestAProfilesNames(t *testing.T) {
	for _, c := range []struct {
		contact Contact
		want    string
	}{
		{Contact{Email: "a@b"}, "a@b"},
		{Contact{Email: "a@b", FirstName: "Ada"}, "Ada"},
		{Contact{Email: "a@b", LastName: "King"}, "King"},
		{Contact{FirstName: "Ada", LastName: "King", CompanyName: "Co"}, "Ada King"},
		{Contact{FirstName: "Ada", CompanyName: "Co", B2B: true}, "Co"},
		{Contact{FirstName: "Ada", B2B: true}, "Ada"},
	} {
		if got := c.contact.DisplayName(); got != c.want {
			t.Errorf("%+v is shown as %q; want %q", c.contact, got, c.want)
		}
	}
	b := newBook(t)
	b.do(PatchProfile{FirstName: ptr(""), LastName: ptr("")})
	if b.contact.Own != 0 {
		t.Errorf("nothing changed, and %b are the contact's own", b.contact.Own)
	}
	b.do(PatchProfile{FirstName: ptr("Ada"), Phone: ptr("1")})
	b.do(PatchProfile{LastName: ptr("King"), Phone: ptr("")})
	b.do(PatchProfile{FirstName: ptr("Ada")}) // as it is
	if c := b.contact; c.FirstName != "Ada" || c.LastName != "King" || c.Phone != "" || !c.UpdatedAt.Equal(noon) || c.Own != OwnFirstName|OwnLastName|OwnPhone {
		t.Errorf("the profile is %+v", *c)
	}
}

// An approval marks what it sets as set outside the document, and nothing else.
func TestApprovals(t *testing.T) {
	group := testID(0x9)
	for _, c := range []struct {
		name          string
		before, after Contact
		group         uuid.UUID
	}{
		{"a new business", Contact{B2B: true}, Contact{B2B: true, Approved: true, Own: OwnApproved, UpdatedAt: noon}, uuid.Nil},
		{"with a group", Contact{B2B: true, Own: OwnPhone}, Contact{B2B: true, Approved: true, GroupID: group, Own: OwnPhone | OwnApproved | OwnGroup,
			UpdatedAt: noon}, group},
		{"approved by the document", Contact{Approved: true}, Contact{Approved: true, Own: OwnApproved, UpdatedAt: noon}, uuid.Nil},
		{"again", Contact{Approved: true, Own: OwnApproved}, Contact{Approved: true, Own: OwnApproved}, uuid.Nil},
		{"the group again", Contact{Approved: true, GroupID: group, Own: OwnApproved | OwnGroup},
			Contact{Approved: true, GroupID: group, Own: OwnApproved | OwnGroup}, group},
		{"another group later", Contact{Approved: true, GroupID: testID(0x8), Own: OwnApproved},
			Contact{Approved: true, GroupID: group, Own: OwnApproved | OwnGroup, UpdatedAt: noon}, group},
	} {
		yes, change := true, &ChangeStanding{}
		if change.Approved = &yes; c.group != uuid.Nil {
			change.Group = &c.group
		}
		in := &Input{Store: &Store{Groups: []CustomerGroup{{ID: group}}}, Now: noon}
		got, effects, refusal := ChangeContact(&c.before, change, in)
		got.Addresses, got.UpdatedAt = nil, c.after.UpdatedAt
		if refusal != nil || !reflect.DeepEqual(*got, c.after) || (effects.ContactNews != nil) != (c.after.Approved && !c.before.Approved) {
			t.Errorf("%s: %+v, %v, %v; want %+v", c.name, got, effects, refusal, c.after)
		}
	}
}
