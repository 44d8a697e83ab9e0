package blackbox_test

import (
	"strings"

	"cartd/commerce"
)

const (
	badCustomerToken = `{"message":"Invalid customer token."}`
	bookChanged      = `{"message":"The address book has changed.","code":"version_mismatch"}`
	bookFull         = "The address book is full."
)

// unknownAddress is the 404 of an address.
func unknownAddress(id string) string {
	return `{"message":"No query results for model [Address] ` + id + `"}`
}

// contactCases are the table Address errors of the specification and the refusals of the account
// routes.
var contactCases = []refusalCase{
	// Spec: Address errors, 401.
	{name: "list without a token", row: commerce.InvalidCustomerToken, key: keyAll, call: "GET " + addressesPath, status: 401, want: badCustomerToken},
	{name: "add with an expired token", row: commerce.InvalidCustomerToken, key: keyAll, token: tokenExpired, call: "POST " + addressesPath, body: addressBody, status: 401, want: badCustomerToken},
	{name: "profile without a token", row: commerce.InvalidCustomerToken, key: keyAll, call: "GET contacts/me", status: 401, want: badCustomerToken},

	// Spec: Address errors, 404.
	{name: "patch of an unknown address", key: keyAll, token: tokenAda, call: "PATCH " + addressesPath + "/" + unknownID, body: `{"country":`, status: 404, want: unknownAddress(unknownID)},
	{name: "removal of an unknown address", key: keyAll, token: tokenAda, call: "DELETE " + addressesPath + "/" + unknownID, status: 404, want: unknownAddress(unknownID)},
	{name: "an address id that is no UUID", key: keyAll, token: tokenAda, call: "DELETE " + addressesPath + "/7", status: 404, want: unknownAddress("7")},

	// Spec: Address errors, 422; docs/api/errors.md#messages-about-a-field.
	{name: "name too long", key: keyAll, token: tokenAda, call: "PATCH {address}", body: `{"name":"` + strings.Repeat("n", 151) + `"}`, status: 422, want: oneField("name", "The name field must not be greater than 150 characters.", "")},
	{name: "everything wrong at once", key: keyAll, token: tokenAda, call: "POST " + addressesPath, body: `{"phone":[],"country":"N","type":7,"is_default":2,"label":{}}`, status: 422,
		want: `{"message":"The type field must be a string.","errors":{"type":["The type field must be a string."],"label":["The label field must be a string."],` +
			`"is_default":["The is default field must be true or false."],"name":["The name field is required."],"street":["The street field is required."],` +
			`"postal_code":["The postal code field is required."],"city":["The city field is required."],"country":["The country field must be 2 characters."],"phone":["The phone field must be a string."]}}`},
	{name: "a book with no place left", row: commerce.AddressBookFull, key: keyFull, token: tokenAda, call: "POST " + addressesPath, body: addressBody, status: 422, want: oneField("address", bookFull, "")},
	{name: "address that is no JSON", row: commerce.InvalidJSON, key: keyAll, token: tokenAda, call: "POST " + addressesPath, body: `[1]`, status: 400, want: `{"message":"The request body is not valid JSON."}`},
	{name: "another version of the book", row: commerce.AddressBookChanged, key: keyAll, token: tokenAda, call: "PATCH {address}", body: `{"country":`,
		header: [2]string{"If-Match", `"0123456789abcdef.0123456789abcdef"`}, status: 412, want: bookChanged},
	{name: "wrong idempotency key on an address", row: commerce.IdempotencyKeyInvalid, key: keyAll, token: tokenAda, call: "DELETE {address}",
		header: [2]string{"Idempotency-Key", strings.Repeat("k", 256)}, status: 400, want: wrongKey},

	// Accounts.
	{name: "profile field too long", key: keyAll, token: tokenAda, call: "PATCH contacts/me", body: `{"phone":"` + strings.Repeat("0", 51) + `"}`, status: 422,
		want: oneField("phone", "The phone field must not be greater than 50 characters.", "")},
	{name: "registration of a business without a name", key: keyAll, call: "POST contacts/register", body: `{"kind":"b2b","vat_id":"` + strings.Repeat("v", 51) + `"}`, status: 422,
		want: fieldErrors("email", "The email field is required.", "password", "The password field is required.", "company_name", "The company name field is required.",
			"vat_id", "The vat id field must not be greater than 50 characters.")},
	{name: "registration of a taken address", row: commerce.EmailTaken, key: keyAll, call: "POST customers/register", body: `{"email":"ADA@example.com","password":"secret-password-x"}`, status: 422,
		want: oneField("email", "The email has already been taken.", "")},
	{name: "login with a wrong password", row: commerce.CredentialsRefused, key: keyAll, call: "POST contacts/login", body: `{"email":"ada@example.com","password":"secret-password-wrong"}`, status: 422,
		want: oneField("email", "These credentials do not match our records.", "")},
	{name: "login without a password of its own", row: commerce.CredentialsRefused, key: keyAll, call: "POST contacts/login", body: `{"email":"tess@example.com","password":"secret-password-wrong"}`, status: 422,
		want: oneField("email", "These credentials do not match our records.", "")},
	{name: "reset with an unknown token", row: commerce.ResetTokenInvalid, key: keyAll, call: "POST contacts/reset-password",
		body: `{"token":"x","email":"ada@example.com","password":"secret-password-x","password_confirmation":"secret-password-x"}`, status: 422,
		want: oneField("token", "This password reset token is invalid.", "")},
	{name: "reset of an unknown address", row: commerce.ResetTokenInvalid, key: keyAll, call: "POST contacts/reset-password",
		body: `{"token":"x","email":"nobody@example.com","password":"secret-password-x","password_confirmation":"secret-password-x"}`, status: 422,
		want: oneField("token", "This password reset token is invalid.", "")},
	{name: "change from a wrong password", row: commerce.PasswordIncorrect, key: keyAll, token: tokenAda, call: "PUT contacts/me/password",
		body: `{"current_password":"secret-password-wrong","password":"secret-password-x","password_confirmation":"secret-password-x"}`, status: 422,
		want: oneField("current_password", "The password is incorrect.", "")},
	{name: "change to a password that is not confirmed", key: keyAll, token: tokenAda, call: "PUT contacts/me/password",
		body: `{"current_password":"secret-password-wrong","password":"short","password_confirmation":"other"}`, status: 422,
		want: `{"message":"The password field must be at least 8 characters.","errors":{"password":["The password field must be at least 8 characters.","The password field confirmation does not match."]}}`},
	{name: "forgotten password of nothing", key: keyAll, call: "POST contacts/forgot-password", body: `{"email":"nobody"}`, status: 422,
		want: oneField("email", "The email field must be a valid email address.", "")},
}
