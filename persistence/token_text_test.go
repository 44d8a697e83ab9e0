package persistence

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/redisdb"
)

var (
	noon_y       = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	shopID_x     = uuid.UUID{15: 5}
	otherShop_x  = uuid.UUID{15: 6}
	tradeGroup_x = uuid.UUID{15: 0x61}
	ada_x        = uuid.UUID{15: 0xad}
)

func secret_x(text string) *commerce.KeyHash {
	hash := commerce.HashSecret([]byte(text))
	return &hash
}

func TestWhatATokenResolvesTo(t *testing.T) {
	account := &commerce.Contact{B2B: true, Approved: true, Session: 7, GroupID: tradeGroup_x}
	guest := *account
	guest.Guest = true
	valid := tokenText(ada_x, noon_y.Add(time.Millisecond), 7)
	session := commerce.Session{ExpiresAt: noon_y.UnixMilli() + 1, Number: 7}
	known := commerce.Visitor{Known: true, CustomerID: ada_x, GroupID: tradeGroup_x, B2B: true, Approved: true, Session: session}
	nobody := commerce.Visitor{}
	for _, c := range []struct {
		rule  string
		reply any
		want  commerce.Visitor
	}{
		{"valid", []any{valid, recordHead(account)}, known},
		{"without a group", []any{valid, recordHead(&commerce.Contact{Session: 7})}, commerce.Visitor{Known: true, CustomerID: ada_x, Session: session}},
		{"at its expiry", []any{tokenText(ada_x, noon_y, 7), recordHead(account)}, nobody},
		{"past its expiry", []any{tokenText(ada_x, noon_y.Add(-time.Hour), 7), recordHead(account)}, nobody},
		{"of an ended session", []any{tokenText(ada_x, noon_y.Add(time.Hour), 6), recordHead(account)}, nobody},
		{"of a session to come", []any{tokenText(ada_x, noon_y.Add(time.Hour), 8), recordHead(account)}, nobody},
		{"of a guest", []any{valid, recordHead(&guest)}, nobody},
		{"of a contact that is gone", []any{valid, ""}, nobody},
		{"unknown", []any{}, nobody},
		{"no reply", nil, nobody},
	} {
		text, _, err := parseTokenReply(shopID_x, commerce.KeyHash{}, c.reply)
		if err != nil {
			t.Errorf("a token %s: %v", c.rule, err)
		}
		if got := resolveToken(commerce.KeyHash{}, text, noon_y); got != c.want {
			t.Errorf("a token %s resolves to %+v, want %+v", c.rule, got, c.want)
		}
	}
}

func TestTokenOfAContactThatCannotBeRead(t *testing.T) {
	head, valid := recordHead(&commerce.Contact{Session: 7}), tokenText(ada_x, noon_y.Add(time.Hour), 7)
	for what, contact := range map[string]any{"cut": head[:20], "of a format to come": "\xff" + head[1:], "of another type": int64(0)} {
		_, _, err := parseTokenReply(shopID_x, commerce.KeyHash{}, []any{valid, contact})
		if want := redisdb.BrokenKey(ContactCodec.Key(engine.RecordKey{Store: shopID_x, ID: ada_x})); err != want {
			t.Errorf("a contact %s: %v, want %v", what, err, want)
		}
	}
}

func TestTokenThatCannotBeRead(t *testing.T) {
	for _, text := range []string{"", "no token", ada_x.String(), ada_x.String() + " soon 7"} {
		_, _, err := parseTokenReply(shopID_x, commerce.KeyHash{1}, []any{text, ""})
		if want := redisdb.BrokenKey(tokenKey(shopID_x, commerce.KeyHash{1})); err != want {
			t.Errorf("a token %q: %v, want %v", text, err, want)
		}
	}
}

// recordHead is a contact's record as far as the token script returns it.
func recordHead(h *commerce.Contact) string {
	record := ContactCodec.Encode(nil, &engine.Record[*commerce.Contact]{Stamp: engine.Stamp{Counter: 1}, State: h}, nil)
	return string(record[:headFrom+contactHeadSize])
}

func TestATokenTextIsReadStrictly(t *testing.T) {
	want := token{customer: ada_x, expires: noon_y.UnixMilli(), session: 3}
	if got, ok := parseToken(tokenText(ada_x, noon_y, 3)); !ok || got != want {
		t.Errorf("parseToken = %+v, %v; want %+v", got, ok, want)
	}
	for _, text := range []string{"", "x", ada_x.String(), ada_x.String() + " 1", ada_x.String() + " 1 -1", ada_x.String() + " x 1", "x 1 1", ada_x.String() + " 1 1 1"} {
		if got, ok := parseToken(text); ok {
			t.Errorf("parseToken(%q) = %+v", text, got)
		}
	}
}

func TestWhoseATokenWasIsRememberedUntilAnotherTakesItsPlace(t *testing.T) {
	known := NewAccounts(nil)
	first, second := *secret_x("a"), *secret_x("a")
	second[31]++ // the same place
	text := func(customer uuid.UUID) engine.TokenText {
		return engine.TokenText{Value: tokenText(customer, noon_y, 0), Contact: "head"}
	}
	known.Remember(shopID_x, first, engine.TokenText{})
	if got, found := known.KnownToken(shopID_x, &first); found {
		t.Errorf("an unknown token takes a place: %+v", got)
	}
	known.Remember(shopID_x, first, text(ada_x))
	for _, c := range []struct {
		store uuid.UUID
		token commerce.KeyHash
		want  engine.TokenText
	}{{shopID_x, first, text(ada_x)}, {otherShop_x, first, engine.TokenText{}}, {shopID_x, second, engine.TokenText{}}} {
		if got, found := known.KnownToken(c.store, &c.token); got != c.want || found != (c.want.Value != "") {
			t.Errorf("token %x of %s is %+v, want %+v", c.token[31], c.store, got, c.want)
		}
	}
	if got := known.CustomerOf(shopID_x, &first); got != ada_x {
		t.Errorf("it is %s's, want %s's", got, ada_x)
	}
	known.Remember(shopID_x, first, engine.TokenText{}) // it is gone
	if got, found := known.KnownToken(shopID_x, &first); !found || got.Value != "" {
		t.Errorf("a token that is gone: %+v, %v", got, found)
	}
	known.Remember(shopID_x, second, text(uuid.UUID{15: 2}))
	if got, found := known.KnownToken(shopID_x, &first); found {
		t.Errorf("after another took its place it is %+v", got)
	}
}
