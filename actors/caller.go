package actors

import "cartd/internal/waiter"

// caller is who waits for the answer to a request. It is reused after the answer, if no other wake-up can come.
type caller[S any] struct {
	*waiter.Waiter
	// answer belongs to the actor until it has released the request, then to the caller.
	answer answer[S]
}

func newCaller[S any]() any { return &caller[S]{Waiter: waiter.New()} }
