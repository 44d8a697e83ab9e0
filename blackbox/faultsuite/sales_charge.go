package faultsuite

import (
	"math/rand/v2"
	"slices"
	"time"

	"cartd/blackbox/faultsuite/model"
)

// span is the time between the first sending of a request and its answer.
type span struct{ began, ended time.Time }

// charge is a change of the reverse charge of the account with a VAT id. The account has it at some moment of the span.
type charge struct {
	to bool
	span
}

// chargeCalm is the pause between two changes.
const chargeCalm = 500 * ms

// changeCharges takes the reverse charge from the account with a VAT id and gives it back, again and again, until over is
// closed: an order has it as it is at the sale, on whatever node. A command that failed is repeated, for it may have been
// carried out.
func (s *Sales) changeCharges(over chan struct{}) {
	account := model.SalesAccounts[slices.IndexFunc(model.SalesAccounts, func(a model.SalesAccount) bool { return a.VATID != "" })]
	flags := map[bool]string{true: "--reverse-charge", false: "--no-reverse-charge"}
	dice := rand.New(rand.NewPCG(s.Seed, 1_000_000))
	for to := false; !closed(over); to = !to {
		s.charges = append(s.charges, charge{to: to, span: span{began: time.Now()}})
		for !closed(over) {
			if _, err := s.cluster.Command("customer", "--store", model.SalesStore, flags[to], account.ID); err == nil {
				s.charges[len(s.charges)-1].ended = time.Now()
				break
			}
			<-time.After(time.Duration(dice.IntN(50)) * ms)
		}
		<-time.After(chargeCalm)
	}
}

// chargesIn are the values that the reverse charge of the account with a VAT id may have had when an order was judged: more
// than one if it changed meanwhile. It begins with true.
func chargesIn(changes []charge, judged span) (possible []bool) {
	all := append([]charge{{to: true}}, changes...)
	for i, c := range all {
		replaced := i+1 < len(all) && !all[i+1].ended.IsZero() && all[i+1].ended.Before(judged.began)
		if !c.began.After(judged.ended) && !replaced {
			possible = append(possible, c.to)
		}
	}
	return possible
}
