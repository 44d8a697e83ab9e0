package commerce

import (
	"time"
)

// The limits on what a caller may try, beside the request limit. A login or a code that succeeds does not count.
const (
	// LoginFailures is the maximum number of failed logins of one caller with one e-mail address within RateWindow. Spec: Limits, Login.
	LoginFailures = 5
	// CallerFailures is the maximum number of failed logins of one forwarded caller, with all addresses, within CallerWindow.
	CallerFailures = 100
	CallerWindow   = time.Hour
	// UnknownCodes is the maximum number of unknown codes that one caller may try on a cart within CodeWindow. A code is unknown if no
	// active discount of the store has it.
	UnknownCodes = 20
	CodeWindow   = 10 * time.Minute
	// QuoteAnswers is the maximum number of accepts, declines and wishes for a change that one caller may send to a store within
	// RateWindow. Spec: Limits, Quote-token accept and decline.
	QuoteAnswers = 30
)
