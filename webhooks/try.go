package webhooks

import (
	"context"
	"errors"
	"time"

	"cartd/commerce"
)

// Try sends one delivery once, outside any queue, for an operator who tests a receiver. The
// error's text contains nothing of the receiver's address or answer.
func Try(r *commerce.Receiver, d *commerce.Delivery, timeout time.Duration, allowPrivate bool) error {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	if err := attempt(ctx, newClient(allowPrivate), r, d); err != nil {
		return errors.New(reason(err))
	}
	return nil
}
