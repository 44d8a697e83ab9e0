package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strconv"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/commerce/storefile"
)

// AttachCode attaches a discount code. A caller may try only a number of unknown codes on one cart.
// After too many tries, every code is refused on that cart, known ones too, or the answer would
// show which guess is right. An error or a replay is not counted. Errors: *Refusal
// (TooManyAttempts), ErrUnavailable, ErrUnknownOutcome.
func (e *Engine) AttachCode(r *Request) (Reply, error) {
	attach, _ := r.Command.(commerce.AttachCode)
	if r.Fault != nil {
		return e.ChangeCart(r)
	}
	cart := RecordKey{Store: r.Store.ID, ID: r.CartID}
	var takeBack func() // nil unless the code was unknown in a round
	var budget Budget
	known := false
	reply, err := e.write(r, func(r *Request) (_ Reply, err error) {
		known = r.Store.KnowsCode(attach.Code) // by the document of this round
		switch {
		case takeBack != nil:
		case known:
			budget, err = e.storage.CodeBudget(cart, r.Caller.Addr, r.Deadline)
		default:
			budget, takeBack, err = e.storage.BeginCode(cart, r.Caller.Addr, r.Deadline)
		}
		if err != nil {
			return Reply{}, err
		}
		attach.Spent = !budget.Granted
		r.Command = attach
		return e.changeCart(r)
	})
	if err == nil && !reply.Replayed && !known { // the guess stays counted
		reply.Nested = budget
		reply.Nested.Remaining = max(0, budget.Remaining-1)
		return reply, nil
	}
	if attach.Spent && errors.Is(err, commerce.TooManyAttempts) && reply.Facts != nil && reply.Facts.Budget.Granted {
		reply.Nested = budget
	}
	if takeBack != nil {
		takeBack()
	}
	return reply, err
}

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

// DiscountUses are how often a discount was used. Counts that were not asked for are nil.
type DiscountUses struct {
	Discount          *commerce.Discount
	Used              int64
	ByCode, ByAccount *int64
}

// ReadDiscountUses returns how often a discount was used, also with a code and by a customer; nil for none. Errors: *commerce.Refusal,
// ErrUnavailable.
func (e *Engine) ReadDiscountUses(r *Request, id, code string, customer uuid.UUID) (uses DiscountUses, err error) {
	parsed, ok := commerce.ParseID(id)
	if uses.Discount = r.Store.Discount(parsed); !ok || uses.Discount == nil {
		return uses, commerce.NotFound("Discount", id)
	}
	asked := []commerce.Use{{Discount: parsed}}
	if code != "" {
		use, ok := r.Store.CodeUse(uses.Discount, code)
		if !ok {
			var faults commerce.Faults
			faults.Add("code", commerce.MsgIn("code"))
			return uses, faults.Refusal()
		}
		asked = append(asked, use)
	}
	if customer != uuid.Nil {
		asked = append(asked, commerce.Use{Discount: parsed, Counter: commerce.CountCustomer, Field: customer.String()})
	}
	counts, err := e.storage.UseCounts(r.Store.ID, asked, r.Deadline)
	if err != nil {
		return uses, err
	}
	uses.Used = counts[0]
	rest := counts[1:]
	if code != "" {
		uses.ByCode, rest = &rest[0], rest[1:]
	}
	if customer != uuid.Nil {
		uses.ByAccount = &rest[0]
	}
	return uses, nil
}

// BatchSecrets are the secrets of all batches of codes that a store's documents have had: BatchField → SHA-256 of
// the secret, hex. The uses of codes are counted by number and serial, so a number is never used again for other codes.
type BatchSecrets map[string]string

// BatchField is a batch's field in BatchSecrets, and in the hashes of batches: discount id, colon, number.
func BatchField(discount uuid.UUID, number int64) string {
	return discount.String() + ":" + strconv.FormatInt(number, 10)
}

// ReadBatchSecrets reads the text of a page of secrets; a store without one has none.
func ReadBatchSecrets(text []byte) (BatchSecrets, error) {
	had := BatchSecrets{}
	if text == nil {
		return had, nil
	}
	return had, json.Unmarshal(text, &had)
}

// Text is the text of the page of the secrets; nil if there are none.
func (had BatchSecrets) Text() []byte {
	if len(had) == 0 {
		return nil
	}
	text, err := json.Marshal(had)
	if err != nil {
		panic(err) // texts always have a JSON form
	}
	return text
}

func hashOfSecret(b *commerce.CodeBatch) string {
	hash := sha256.Sum256(b.Secret)
	return hex.EncodeToString(hash[:])
}

// Other is a rule of documents: whether a batch's number has had another secret.
func (had BatchSecrets) Other() storefile.BatchRule {
	return func(d *commerce.Discount, b *commerce.CodeBatch) bool {
		before := had[BatchField(d.ID, int64(b.Number))]
		return before != "" && before != hashOfSecret(b)
	}
}

// Add adds the secrets of a discount's batches.
func (had BatchSecrets) Add(d *commerce.Discount) {
	for i := range d.CodeBatches {
		b := &d.CodeBatches[i]
		had[BatchField(d.ID, int64(b.Number))] = hashOfSecret(b)
	}
}
