package commerce

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"
)

// MaxPaymentMinutes is the maximum time for which an order may stay unpaid, in minutes.
// docs/api/orders.md#paid-in-time.
const MaxPaymentMinutes = 43_200

// MaxPaymentReference is the maximum number of code points in the reference of a payment or a refund.
const MaxPaymentReference = 100

// Payment is what the merchant's systems have said about an order's payment.
type Payment struct {
	// DueAt is fixed when the order is placed; zero if the order need not be paid.
	DueAt time.Time
	// PaidAt is zero if it was not paid.
	PaidAt time.Time
	// Reference is the merchant's; an empty text is null.
	Reference string
}

// PaymentStatus is the state of an order's payment.
type PaymentStatus uint8

const (
	PaymentNotRequired PaymentStatus = iota
	PaymentIsDue
	PaymentIsPaid
	PaymentIsPartlyRefunded
	PaymentIsRefunded
	paymentStatusCount
)

var paymentStatusNames = [paymentStatusCount]string{"not_required", "due", "paid", "partially_refunded", "refunded"}

// String returns the status as the API spells it.
func (s PaymentStatus) String() string { return paymentStatusNames[s] }

// PaymentStatusNames are all names of a payment's status.
func PaymentStatusNames() []string { return slices.Clone(paymentStatusNames[:]) }

// PaymentStatus returns the state of the order's payment. It is refunded once the total is.
func (o *Order) PaymentStatus() PaymentStatus {
	switch refund := o.last(PartRefund); {
	case refund != nil && o.Refunded() >= o.Totals.Total:
		return PaymentIsRefunded
	case refund != nil:
		return PaymentIsPartlyRefunded
	case !o.Payment.PaidAt.IsZero():
		return PaymentIsPaid
	case !o.Payment.DueAt.IsZero():
		return PaymentIsDue
	}
	return PaymentNotRequired
}

// Unpaid reports whether the order waits for its payment. It ends by itself once DueAt has passed.
func (o *Order) Unpaid() bool {
	return o.Status == OrderPlaced && o.PaymentStatus() == PaymentIsDue
}

// AskedMinutes is the value of payment_minutes in a body; null and blank count as absent.
type AskedMinutes struct {
	Sent bool
	// Number is the value's text if it is a JSON number, else empty.
	Number string
}

// paymentTime judges payment_minutes, and returns the time for which an order of today may stay
// unpaid; 0 if the store says nothing about payment.
func (a AskedMinutes) paymentTime(s *Store, faults *Faults) time.Duration {
	if s.PaymentTime == 0 || !a.Sent {
		return s.PaymentTime
	}
	minutes := faults.Within("payment_minutes", a.Number, 1, int64(s.PaymentTime/time.Minute))
	return time.Duration(minutes) * time.Minute
}

// payWithin fixes when the order must be paid. An order of nothing needs no payment.
func (o *Order) payWithin(d time.Duration) {
	if d > 0 && o.Totals.Total > 0 {
		o.Payment.DueAt = o.PlacedAt.Add(d)
	}
}

// ErasedReference is what an erasure leaves of the reference of a payment, so that the merchant's system
// may repeat the payment: "erased:" and 32 hex digits of its SHA-256. An empty reference, and one that is
// erased already, stay.
func ErasedReference(reference string) string {
	digits, erased := strings.CutPrefix(reference, erasedPrefix)
	if reference == "" || erased && len(digits) == erasedDigits && strings.Trim(digits, "0123456789abcdef") == "" {
		return reference
	}
	hash := sha256.Sum256([]byte(reference))
	return erasedPrefix + hex.EncodeToString(hash[:])[:erasedDigits]
}

const (
	erasedPrefix = "erased:"
	erasedDigits = 32
)

// PayOrder records that the order is paid. The recorded reference again changes nothing, whatever
// has become of the order. docs/api/orders.md#routes, payment.
type PayOrder struct {
	Reference string
	Amount    Amount
}

func (PayOrder) Locate(*Order) *Refusal { return nil }

func (p PayOrder) Apply(next *Order, in *Input) (Effects, *Refusal) {
	paid := !next.Payment.PaidAt.IsZero()
	switch {
	case paid && (next.Payment.Reference == p.Reference || next.Payment.Reference == ErasedReference(p.Reference)):
		return Effects{}, nil
	case next.Status == OrderCancelled:
		return Effects{}, OrderIsCancelled
	case paid:
		return Effects{}, AlreadyPaid
	case p.Amount != next.Totals.Total:
		return Effects{}, AmountDiffers.atTotal(next.Totals.Total)
	}
	next.Payment.PaidAt, next.Payment.Reference = in.Now, p.Reference
	return in.orderNews(EventOrderPaid, next), nil
}
