// Package accounts owns the keys of customers' accounts beside their records: the indexes of e-mail
// addresses and of external ids, tokens and sessions, the counts of failed logins and unknown codes. It
// also hashes passwords.
//
// It does not judge who may do an operation, and knows no store document. It writes no record:
// a registration is a visit of the contact (persistence/account.go).
//
// Open first: token.go (from a token to a visitor), account.go (who has an address),
// login_attempt.go, password.go.
package accounts
