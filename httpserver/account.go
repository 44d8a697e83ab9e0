package httpserver

import (
	"errors"
	"time"

	"github.com/valyala/fasthttp"

	"cartd/commerce"
	"cartd/engine"
	"cartd/httpserver/bodies"
	"cartd/internal/answers"
)

// handleRegister makes an account and signs it in.
func handleRegister(s *Server, x *exchange) error {
	asked, fault := bodies.Register.Read(x.body)
	if fault != nil {
		return fault
	}
	return x.answerSignedIn(s.engine.Register(&x.request, &asked))
}

// handleLogin issues a token for e-mail and password.
func handleLogin(s *Server, x *exchange) error {
	credentials, fault := bodies.Login.Read(x.body)
	if fault != nil {
		return fault
	}
	signedIn, failures, err := s.engine.Login(&x.request, &credentials)
	x.setNestedBudget(causeLogin, &failures)
	switch {
	case errors.Is(err, commerce.CredentialsRefused):
		x.metrics.logins.WithLabelValues(causeCredentials).Inc()
	case errors.Is(err, commerce.TooManyAttempts):
		x.metrics.logins.WithLabelValues(causeLimit).Inc()
	}
	return x.answerSignedIn(signedIn, err)
}

// handleLogout ends the token that it is called with.
func handleLogout(s *Server, x *exchange) error { return s.engine.Logout(&x.request) }

// handleForgotPassword answers alike whether or not the address is known.
// Spec: Errors, The forgot-password endpoint.
func handleForgotPassword(s *Server, x *exchange) error {
	email, fault := bodies.ForgotPassword.Read(x.body)
	if fault != nil {
		return fault
	}
	if err := s.engine.ForgotPassword(&x.request, email); err != nil {
		return err
	}
	x.out = answers.Message.Append(x.out, "If the address is known, a reset link has been sent.")
	return nil
}

// handlePasswordReset sets a new password, authorised by the token of a reset link.
func handlePasswordReset(s *Server, x *exchange) error {
	reset, fault := bodies.PasswordReset.Read(x.body)
	if fault != nil {
		return fault
	}
	return s.engine.ResetPassword(&x.request, &reset)
}

// handlePasswordChange replaces the current password.
func handlePasswordChange(s *Server, x *exchange) error {
	change, fault := bodies.PasswordChange.Read(x.body)
	if fault != nil {
		return fault
	}
	return s.engine.ChangePassword(&x.request, &change)
}

// answerSignedIn shows a new token. No later answer shows it.
func (x *exchange) answerSignedIn(in engine.SignedIn, err error) error {
	if err != nil {
		return err
	}
	x.out = answers.SignedIn.Append(x.out, answers.SignedInView{Contact: x.profile(in.Contact), Token: in.Token, ExpiresAt: in.ExpiresAt})
	return nil
}

// handleAccountPut makes or changes the account of an external id.
// docs/api/customers.md#accounts-that-live-elsewhere
func handleAccountPut(s *Server, x *exchange) error {
	asked, fault := bodies.AccountPut.Read(x.body)
	if fault != nil {
		return fault
	}
	if asked.ExternalID, fault = commerce.ParseExternalID(x.decodedParam("external_id")); fault != nil {
		return fault
	}
	account, made, err := s.engine.PutAccount(&x.request, &asked)
	if err != nil {
		return err
	}
	if !made {
		x.status = fasthttp.StatusOK
	}
	x.out = answers.Profile.Append(x.out, x.profile(account))
	return nil
}

// handleTokenIssue makes a customer token of an account. No later answer shows it.
func handleTokenIssue(s *Server, x *exchange) error {
	minutes, fault := bodies.TokenIssue.Read(x.body)
	if minutes == 0 {
		minutes = engine.MaxSessionMinutes
	}
	x.request.Fault = fault
	issued, err := s.engine.IssueToken(&x.request, x.param("id"), time.Duration(minutes)*time.Minute)
	if err != nil {
		return err
	}
	x.out = answers.IssuedToken.Append(x.out, answers.SignedInView{Token: issued.Token, ExpiresAt: issued.ExpiresAt})
	return nil
}

// handleTokensEnd ends all tokens of an account.
func handleTokensEnd(s *Server, x *exchange) error {
	return s.engine.EndTokens(&x.request, x.param("id"))
}
