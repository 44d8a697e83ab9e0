package accounts

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/shoptest"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
)

var (
	noon       = shoptest.Noon
	shopID     = shoptest.ShopID
	otherShop  = shoptest.OtherShop
	tradeGroup = shoptest.TradeGroup
	ada        = shoptest.Ada
	secret     = shoptest.Secret
)

func TestResolveToken(t *testing.T) {
	account := &commerce.Contact{B2B: true, Approved: true, Session: 7, GroupID: tradeGroup}
	guest := *account
	guest.Guest = true
	valid := TokenText(ada, noon.Add(time.Millisecond), 7)
	session := commerce.Session{ExpiresAt: noon.UnixMilli() + 1, Number: 7}
	known := commerce.Visitor{Known: true, CustomerID: ada, GroupID: tradeGroup, B2B: true, Approved: true, Session: session}
	noVisitor := commerce.Visitor{}
	for _, c := range []struct {
		rule  string
		reply any
		want  commerce.Visitor
	}{
		{"valid", []any{valid, recordHead(account)}, known},
		{"without a group", []any{valid, recordHead(&commerce.Contact{Session: 7})}, commerce.Visitor{Known: true, CustomerID: ada, Session: session}},
		{"at its expiry", []any{TokenText(ada, noon, 7), recordHead(account)}, noVisitor},
		{"past its expiry", []any{TokenText(ada, noon.Add(-time.Hour), 7), recordHead(account)}, noVisitor},
		{"of an ended session", []any{TokenText(ada, noon.Add(time.Hour), 6), recordHead(account)}, noVisitor},
		{"of a session to come", []any{TokenText(ada, noon.Add(time.Hour), 8), recordHead(account)}, noVisitor},
		{"of a guest", []any{valid, recordHead(&guest)}, noVisitor},
		{"of a missing contact", []any{valid, ""}, noVisitor},
		{"unknown", []any{}, noVisitor},
		{"no reply", nil, noVisitor},
	} {
		text, _, err := ParseTokenReply(shopID, commerce.KeyHash{}, c.reply)
		if err != nil {
			t.Errorf("a token %s: %v", c.rule, err)
		}
		if got := ResolveToken(commerce.KeyHash{}, text, noon); got != c.want {
			t.Errorf("a token %s resolves to %+v, want %+v", c.rule, got, c.want)
		}
	}
}

func TestTokenOfAContactThatCannotBeRead(t *testing.T) {
	head, valid := recordHead(&commerce.Contact{Session: 7}), TokenText(ada, noon.Add(time.Hour), 7)
	for what, contact := range map[string]any{"cut": head[:20], "of a format to come": "\xff" + head[1:], "of another type": int64(0)} {
		_, _, err := ParseTokenReply(shopID, commerce.KeyHash{}, []any{valid, contact})
		if want := redisdb.BrokenKey(records.Contacts.Key(engine.RecordKey{Store: shopID, ID: ada})); err != want {
			t.Errorf("a contact %s: %v, want %v", what, err, want)
		}
	}
}

func TestTokenThatCannotBeRead(t *testing.T) {
	for _, text := range []string{"", "no token", ada.String(), ada.String() + " soon 7"} {
		_, _, err := ParseTokenReply(shopID, commerce.KeyHash{1}, []any{text, ""})
		if want := redisdb.BrokenKey(TokenKey(shopID, commerce.KeyHash{1})); err != want {
			t.Errorf("a token %q: %v, want %v", text, err, want)
		}
	}
}

// recordHead is the part of a contact's record that the token script returns.
func recordHead(h *commerce.Contact) string {
	record := records.Contacts.Encode(nil, &engine.Record[*commerce.Contact]{Stamp: engine.Stamp{Counter: 1}, State: h}, nil)
	return string(record[:records.HeadFrom+records.ContactHeadSize])
}

func TestTokenTextIsReadStrictly(t *testing.T) {
	want := Token{Customer: ada, expires: noon.UnixMilli(), Session: 3}
	if got, ok := ParseToken(TokenText(ada, noon, 3)); !ok || got != want {
		t.Errorf("parseToken = %+v, %v; want %+v", got, ok, want)
	}
	for _, text := range []string{"", "x", ada.String(), ada.String() + " 1", ada.String() + " 1 -1", ada.String() + " x 1", "x 1 1", ada.String() + " 1 1 1"} {
		if got, ok := ParseToken(text); ok {
			t.Errorf("parseToken(%q) = %+v", text, got)
		}
	}
}

func TestTokenIsRememberedUntilAnotherReplacesIt(t *testing.T) {
	known := New(nil)
	first, second := *secret("a"), *secret("a")
	second[31]++ // the same index of the cache
	text := func(customer uuid.UUID) engine.TokenText {
		return engine.TokenText{Value: TokenText(customer, noon, 0), Contact: "head"}
	}
	known.Remember(shopID, first, engine.TokenText{})
	if got, found := known.KnownToken(shopID, &first); found {
		t.Errorf("an unknown token is remembered: %+v", got)
	}
	known.Remember(shopID, first, text(ada))
	for _, c := range []struct {
		store uuid.UUID
		token commerce.KeyHash
		want  engine.TokenText
	}{{shopID, first, text(ada)}, {otherShop, first, engine.TokenText{}}, {shopID, second, engine.TokenText{}}} {
		if got, found := known.KnownToken(c.store, &c.token); got != c.want || found != (c.want.Value != "") {
			t.Errorf("token %x of %s is %+v, want %+v", c.token[31], c.store, got, c.want)
		}
	}
	if got := known.CustomerOf(shopID, &first); got != ada {
		t.Errorf("it is %s's, want %s's", got, ada)
	}
	known.Remember(shopID, first, engine.TokenText{}) // it has ended
	if got, found := known.KnownToken(shopID, &first); !found || got.Value != "" {
		t.Errorf("an ended token: %+v, %v", got, found)
	}
	known.Remember(shopID, second, text(uuid.UUID{15: 2}))
	if got, found := known.KnownToken(shopID, &first); found {
		t.Errorf("a replaced token: %+v", got)
	}
}
