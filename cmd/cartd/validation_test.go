package main_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// metadataOf returns a metadata map of n keys as JSON.
func metadataOf(n int) string {
	members := make([]string, n)
	for i := range members {
		members[i] = fmt.Sprintf(`"k%d":%d`, i, i)
	}
	return "{" + strings.Join(members, ",") + "}"
}

// fieldErrors is the body of a plain 422: pairs of field and message, in order;
// a field that is named again gets a further message.
func fieldErrors(pairs ...string) string {
	var fields []string
	messages := map[string][]string{}
	for i := 0; i < len(pairs); i += 2 {
		if len(messages[pairs[i]]) == 0 {
			fields = append(fields, pairs[i])
		}
		messages[pairs[i]] = append(messages[pairs[i]], quoted(pairs[i+1]))
	}
	members := make([]string, len(fields))
	for i, f := range fields {
		members[i] = quoted(f) + ":[" + strings.Join(messages[f], ",") + "]"
	}
	return `{"message":` + quoted(pairs[1]) + `,"errors":{` + strings.Join(members, ",") + `}}`
}

const (
	emailString = "The email field must be a string."
	emailValid  = "The email field must be a valid email address."
	emailMax    = "The email field must not be greater than 255 characters."

	metadataArray = "The metadata field must be an array."
	metadataMax   = "The metadata field must not have more than 16 items."

	productRequired = "The product id field is required."
	productUUID     = "The product id field must be a valid UUID."
	variantUUID     = "The variant id field must be a valid UUID."
	configArray     = "The configuration field must be an array."

	quantityRequired = "The quantity field is required."
	quantityNumber   = "The quantity field must be a number."
	quantityDecimals = "The quantity field must have 0-3 decimal places."
	quantityPositive = "The quantity field must be greater than 0."
	quantityMax      = "The quantity field must not be greater than 99999999.999."
)

// notScalar is the message for a metadata value that is a list or a map.
func notScalar(key string) string {
	return "The metadata." + key + " field must be a string, number, boolean or null."
}

// Spec: PATCH body (Carts).
func TestCartBodiesAreRefusedFieldByField(t *testing.T) {
	t.Parallel()
	shop := serve(t, keyShop)
	path := shop.newCart()
	before := shop.get(path)
	for _, c := range []struct{ name, body, want string }{
		{"e-mail null", `{"email":null}`, fieldErrors("email", emailString)},
		{"e-mail empty", `{"email":""}`, fieldErrors("email", emailString)},
		{"e-mail blank", `{"email":" \t\u00a0\u200b"}`, fieldErrors("email", emailString)},
		{"e-mail a number", `{"email":5}`, fieldErrors("email", emailString)},
		{"e-mail a boolean", `{"email":true}`, fieldErrors("email", emailString)},
		{"e-mail a list", `{"email":["a@b"]}`, fieldErrors("email", emailString)},
		{"e-mail a map", `{"email":{"a":"b"}}`, fieldErrors("email", emailString)},
		{"e-mail of 256 characters", `{"email":"` + longEmail(256) + `"}`, fieldErrors("email", emailMax)},
		{"e-mail too long and none", `{"email":"` + strings.Repeat("x", 256) + `"}`, fieldErrors("email", emailValid, "email", emailMax)},
		{"metadata a string", `{"metadata":"x"}`, fieldErrors("metadata", metadataArray)},
		{"metadata a number", `{"metadata":5}`, fieldErrors("metadata", metadataArray)},
		{"metadata false", `{"metadata":false}`, fieldErrors("metadata", metadataArray)},
		{"metadata a list with something in it", `{"metadata":[1]}`, fieldErrors("metadata", metadataArray)},
		{"17 keys", `{"metadata":` + metadataOf(17) + `}`, fieldErrors("metadata", metadataMax)},
		{"a map as value", `{"metadata":{"a":{"b":1}}}`, fieldErrors("metadata.a", notScalar("a"))},
		{"a list as value", `{"metadata":{"a":[]}}`, fieldErrors("metadata.a", notScalar("a"))},
		{"keys shown raw", `{"metadata":{"gift_note":{}}}`, fieldErrors("metadata.gift_note", notScalar("gift_note"))},
		{"values in the order sent", `{"metadata":{"z":[],"m":1,"a":[]}}`, fieldErrors("metadata.z", notScalar("z"), "metadata.a", notScalar("a"))},
		{"e-mail before metadata", `{"metadata":{"a":[]},"email":"x"}`, fieldErrors("email", emailValid, "metadata.a", notScalar("a"))},
		{"e-mail before metadata's type", `{"metadata":1,"email":1}`, fieldErrors("email", emailString, "metadata", metadataArray)},
	} {
		t.Run(c.name, func(t *testing.T) { shop.in(t).patch(path, c.body).want(422, c.want) })
	}
	shop.get(path).want(200, string(before.body))
}

// longEmail returns a valid address of n code points, at least 193.
func longEmail(n int) string {
	label := strings.Repeat("d", 63)
	domain := strings.Join([]string{label, label, label}, ".")
	return strings.Repeat("a", n-1-len(domain)) + "@" + domain
}

// Spec: POST body (Cart lines): the plain fields, all together.
func TestLineBodiesAreRefusedFieldByField(t *testing.T) {
	t.Parallel()
	shop := serve(t, keyShop)
	path := shop.newCart()
	for _, c := range []struct{ name, body, want string }{
		{"empty object", `{}`, fieldErrors("product_id", productRequired, "quantity", quantityRequired)},
		{"no body", ``, fieldErrors("product_id", productRequired, "quantity", quantityRequired)},
		{"all null", `{"quantity":null,"product_id":null,"variant_id":null,"configuration":null}`,
			fieldErrors("product_id", productRequired, "quantity", quantityRequired)},
		{"blank product", addBody(" ", "1"), fieldErrors("product_id", productRequired)},
		{"empty list as product", `{"product_id":[],"quantity":1}`, fieldErrors("product_id", productRequired)},
		{"empty map as product", `{"product_id":{},"quantity":1}`, fieldErrors("product_id", productRequired)},
		{"product that is no UUID", addBody("hammer", "1"), fieldErrors("product_id", productUUID)},
		{"product in braces", addBody("{"+hammer+"}", "1"), fieldErrors("product_id", productUUID)},
		{"product as URN", addBody("urn:uuid:"+hammer, "1"), fieldErrors("product_id", productUUID)},
		{"product without dashes", addBody(strings.ReplaceAll(hammer, "-", ""), "1"), fieldErrors("product_id", productUUID)},
		{"product with a wrong digit", addBody(hammer[:35]+"g", "1"), fieldErrors("product_id", productUUID)},
		{"variant that is no UUID", addBody(hammer, "1", variant("S")), fieldErrors("variant_id", variantUUID)},
		{"configuration a string", addBody(blind, "1", `"configuration":"x"`), fieldErrors("configuration", configArray)},
		{"configuration a number", addBody(blind, "1", `"configuration":0`), fieldErrors("configuration", configArray)},
		{"configuration a boolean", addBody(hammer, "1", `"configuration":false`), fieldErrors("configuration", configArray)},
		{"everything, in the table's order", `{"configuration":1,"quantity":"many","variant_id":"y","product_id":"x"}`,
			fieldErrors("product_id", productUUID, "variant_id", variantUUID, "quantity", quantityNumber, "configuration", configArray)},
	} {
		t.Run(c.name, func(t *testing.T) { shop.in(t).post(path+"/lines", c.body).want(422, c.want) })
	}
	if got := shop.get(path).cart(http.StatusOK).Lines; len(got) != 0 {
		t.Errorf("the refused adds left %d lines", len(got))
	}
}

// The conventions: the 36-character form in any letter case, trimmed; empty is null.
func TestLineFieldsThatAreAccepted(t *testing.T) {
	t.Parallel()
	shop := serve(t, keyShop)
	for _, c := range []struct{ name, body, product string }{
		{"capital letters", addBody(strings.ToUpper(hammer), "1"), hammer},
		{"surrounding space", addBody("\u00a0 "+hammer+"\ufeff\n", "1"), hammer},
		{"variant null", addBody(hammer, "1", `"variant_id":null`), hammer},
		{"variant empty", addBody(hammer, "1", variant("")), hammer},
		{"variant in capital letters", addBody(gloves, "1", variant(strings.ToUpper(glovesS))), gloves},
		{"configuration null", addBody(hammer, "1", `"configuration":null`), hammer},
		{"unknown fields", addBody(hammer, "1", `"colour":"red"`, `"Quantity":"x"`), hammer},
		{"the last duplicate", `{"product_id":"x","quantity":0,"product_id":"` + hammer + `","quantity":1}`, hammer},
	} {
		t.Run(c.name, func(t *testing.T) {
			shop := shop.in(t)
			got := shop.post(shop.newCart()+"/lines", c.body).cart(http.StatusCreated)
			if len(got.Lines) != 1 || got.Lines[0].ProductID != c.product || got.Lines[0].Quantity != "1" {
				t.Errorf("POST %s = %+v, want one line of %s", c.body, got.Lines, c.product)
			}
		})
	}
}
