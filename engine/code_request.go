package engine

import "cartd/commerce"

// GivenCodes are codes of a batch, from a serial on.
type GivenCodes struct {
	Discount *commerce.Discount
	Batch    *commerce.CodeBatch
	// First is the serial of the first code.
	First, Count int64
	// Replayed is true if an earlier sending of the request gave the same codes.
	Replayed bool
}

// Codes are the printed forms.
func (g *GivenCodes) Codes() []string {
	codes := make([]string, 0, g.Count)
	for code := range g.Discount.Codes(g.Batch, uint32(g.First)) {
		if codes = append(codes, code); int64(len(codes)) == g.Count {
			break
		}
	}
	return codes
}

// Next is the serial after the last code.
func (g *GivenCodes) Next() int64 { return g.First + g.Count }

// GiveCodes gives codes of a batch. A replay waits for the replicas, as its first request did.
func (e *Engine) GiveCodes(r *Request, q *commerce.CodeRequest) (given GivenCodes, err error) {
	_, err = e.write(r, func(r *Request) (_ Reply, err error) {
		given, err = e.storage.GiveCodes(r, q)
		return Reply{Replayed: given.Replayed}, err
	})
	return given, err
}
