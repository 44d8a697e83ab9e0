package httpserver

import "cartd/commerce"

// handleRegister makes an account and signs it in.
func handleRegister(s *Server, x *exchange) error {
	request := x.accountRequest()
	if fault := decodeRegister(x.body(), request); fault != nil {
		return fault
	}
	return x.answerSignedIn(s.engine.Register(request))
}

// handleLogin issues a token for e-mail and password.
func handleLogin(s *Server, x *exchange) error {
	request := x.accountRequest()
	if fault := decodeLogin(x.body(), request); fault != nil {
		return fault
	}
	signedIn, failures, err := s.engine.Login(request)
	x.nestBudget(&failures)
	return x.answerSignedIn(signedIn, err)
}

// handleLogout ends the token that it is called with.
func handleLogout(s *Server, x *exchange) error { return s.engine.Logout(x.accountRequest()) }

// handleForgotPassword answers alike whether or not the address is known.
// Spec: Errors, The forgot-password endpoint.
func handleForgotPassword(s *Server, x *exchange) error {
	request := x.accountRequest()
	if fault := decodeForgotPassword(x.body(), request); fault != nil {
		return fault
	}
	if err := s.engine.ForgotPassword(request); err != nil {
		return err
	}
	x.out = append(x.out, `{"message":"If the address is known, a reset link has been sent."}`...)
	return nil
}

// handlePasswordReset sets a new password under a reset's token.
func handlePasswordReset(s *Server, x *exchange) error {
	request := x.accountRequest()
	if fault := decodePasswordReset(x.body(), request); fault != nil {
		return fault
	}
	return s.engine.ResetPassword(request)
}

// handlePasswordChange sets a new password in the place of the current one.
func handlePasswordChange(s *Server, x *exchange) error {
	request := x.accountRequest()
	if fault := decodePasswordChange(x.body(), request); fault != nil {
		return fault
	}
	return s.engine.ChangePassword(request)
}

// accountRequest is new for each request: the engine may hold it beyond the answer.
func (x *exchange) accountRequest() *commerce.AccountRequest {
	return &commerce.AccountRequest{
		Admission: *x.admission,
		Caller:    x.caller,
		Began:     x.ask.Began,
		Deadline:  x.ask.Deadline,
	}
}

// answerSignedIn shows a token, for the only time.
func (x *exchange) answerSignedIn(in commerce.SignedIn, err error) error {
	if err != nil {
		return err
	}
	x.out = appendString(append(x.out, `{"token":`...), in.Token)
	x.out = appendTime(append(x.out, `,"expires_at":`...), in.ExpiresAt)
	x.out = appendProfile(append(x.out, `,"contact":`...), in.Contact, x.admission.Store)
	x.out = append(x.out, '}')
	return nil
}
