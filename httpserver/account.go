package httpserver

import (
	"errors"

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
