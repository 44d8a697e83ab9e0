package faultsuite

import (
	"fmt"
	"net/http"
	"sync"

	"cartd/blackbox/faultsuite/history"
	"cartd/blackbox/faultsuite/model"
)

// checkStock compares the stock that carts hold with the missing stock of the same products. No
// adjustment changes their stock, and no hold expires in a run.
func (s *Storm) checkStock() {
	free, ok := s.availableTo("", "")
	if !ok {
		return
	}
	held := s.heldByCarts(free)
	for _, p := range model.Stocked() {
		if missing := p.Stock + p.Ahead - free[p.ID]; held[p.ID] != missing {
			s.violate(history.Violation{Check: "stock adds up", Text: fmt.Sprintf(
				"%d thousandths of %s are held, the carts hold %d", missing, p.Name, held[p.ID])})
		}
	}
}

// heldByCarts adds up how much each cart holds: the stock available to the cart less the stock
// available without a cart.
func (s *Storm) heldByCarts(free map[string]int64) map[string]int64 {
	var all sync.WaitGroup
	var mu sync.Mutex
	held, next := map[string]int64{}, make(chan *record)
	for range readers {
		all.Go(func() {
			for r := range next {
				available, ok := s.availableTo(r.ID, r.token)
				mu.Lock()
				for id, n := range available {
					held[id] += n - free[id]
				}
				mu.Unlock()
				if !ok {
					return
				}
			}
		})
	}
	for _, r := range s.records {
		if r.Kind.Collection == model.Carts.Collection {
			next <- r
		}
	}
	close(next)
	all.Wait()
	return held
}

// availableTo asks random nodes for the stock that is available to a cart, with its customer's token,
// until one answers.
func (s *Storm) availableTo(cart, token string) (map[string]int64, bool) {
	for until := s.now() + answerWithin; s.now() < until; s.pause(retryPause) {
		request := model.Available(cart)
		request.Token = token
		a := s.lines[0].send(model.StoreKey, "", request, "")
		s.tally.count(a)
		if a.status != http.StatusOK {
			continue
		}
		available, err := model.ParseAvailable(a.body)
		if err != nil {
			s.violate(history.Violation{Check: "totals and shape", Record: cart, Text: err.Error()})
		}
		return available, err == nil
	}
	s.violate(history.Violation{Check: "recovery", Record: cart, Text: "the stock cannot be read after the faults"})
	return nil, false
}
