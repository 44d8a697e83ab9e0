package commerce

import "github.com/google/uuid"

// CodeRequest asks for codes of a batch.
type CodeRequest struct {
	Discount uuid.UUID
	Batch    int64
	Count    int64
	// From is the serial of the first code; nil for the serials that follow all that were ever given.
	From *int64
}

// Find returns the discount and the batch that a request names, active or not.
func (q *CodeRequest) Find(s *Store) (*Discount, *CodeBatch, *Refusal) {
	d := s.Discount(q.Discount)
	if d == nil {
		return nil, nil, NotFound("Discount", q.Discount.String())
	}
	b := d.Batch(q.Batch)
	if b == nil {
		return nil, nil, FaultOf("batch", MsgIn("batch"))
	}
	if q.From != nil && *q.From+q.Count > BatchCodes {
		return nil, nil, TooFewCodes(BatchCodes - *q.From)
	}
	return d, b, nil
}

// TooFewCodes refuses a request for more codes than are left.
func TooFewCodes(left int64) *Refusal { return FaultOf("count", MsgMax("count", left)) }
