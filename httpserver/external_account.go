package httpserver

import (
	"time"

	"github.com/valyala/fasthttp"

	"cartd/commerce"
	"cartd/engine"
	"cartd/httpserver/bodies"
	"cartd/internal/answers"
)

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
