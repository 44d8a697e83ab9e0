package commerce

import (
	"encoding/base64"
	"testing"
)

// A token has the order's id and its HMAC. No other text of its length is a token of the store.
func TestOrderTokens(t *testing.T) {
	shop, other := testShop(), testShop()
	other.Secret[0]++
	token := shop.OrderToken(orderID)
	if id, ok := shop.OrderOfToken(token); !ok || id != orderID || len(token) != 64 || token != shop.OrderToken(orderID) {
		t.Fatalf("%q is the token of %v, %v", token, id, ok)
	}
	raw, _ := base64.RawURLEncoding.DecodeString(token)
	if [16]byte(raw) != orderID {
		t.Errorf("%x does not begin with the order's id", raw)
	}
	for i := range raw {
		changed := append([]byte(nil), raw...)
		changed[i] ^= 1
		if id, ok := shop.OrderOfToken(base64.RawURLEncoding.EncodeToString(changed)); ok {
			t.Errorf("with byte %d changed it is the token of %v", i, id)
		}
	}
	for _, text := range []string{
		"", token[1:], token + "A", token[:63], token[:63] + "=", token[:62] + "\r\n", token[:63] +
			"+", other.OrderToken(orderID), shop.QuoteToken(orderID), orderID.String(),
	} {
		if id, ok := shop.OrderOfToken(text); ok {
			t.Errorf("%q is taken for the token of %v", text, id)
		}
	}
}
