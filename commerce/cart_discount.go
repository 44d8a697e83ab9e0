package commerce

import "time"

// AttachCode attaches a discount code in the place of an earlier one, whether or not
// it applies: that is evaluated on every read. The code is kept verbatim.
type AttachCode struct {
	Code string
	// Spent: the caller has tried too many unknown codes on this cart.
	Spent bool
}

// DetachCode takes the attached code away; there may be none.
type DetachCode struct{}

func (AttachCode) Locate(*Cart) *Refusal { return nil }
func (DetachCode) Locate(*Cart) *Refusal { return nil }

func (a AttachCode) Apply(next *Cart, _ *Input) (Effects, *Refusal) {
	if a.Spent {
		return Effects{}, TooManyAttempts
	}
	next.DiscountCode = &a.Code
	return Effects{}, nil
}

func (DetachCode) Apply(next *Cart, _ *Input) (Effects, *Refusal) {
	next.DiscountCode = nil
	return Effects{}, nil
}

const (
	// UnknownCodes is how many codes that no active discount of the store has one caller
	// may try on a cart within CodeWindow.
	UnknownCodes = 20
	// CodeWindow is the sliding window of UnknownCodes.
	CodeWindow = time.Hour
)
