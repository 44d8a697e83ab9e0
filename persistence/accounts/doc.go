// Package accounts owns the keys of customers' accounts beside their records: the index of
// e-mail addresses, tokens and sessions, the counts of failed logins and unknown codes. It also
// hashes passwords.
//
// It does not judge who may do an operation, and knows no store document. It writes no record:
// a registration is a visit of the contact (persistence/register.go).
//
// Open first: token.go (from a token to a visitor), session.go, begin_attempt.go, password.go.
package accounts
