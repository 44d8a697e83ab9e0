package httpserver

import (
	"errors"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/httpserver/front"
)

// readBody reads the request's body up to the limit of its route. The body of a route that uses none
// is read and dropped. Of a body without a valid API key at most front.FirstBody is kept; the rest
// is not read, and the admission refuses the request.
func (s *Server) readBody(x *exchange) error {
	if !x.in.Unread {
		return nil
	}
	if x.sent.oversized {
		return commerce.BodyTooLarge
	}
	plan := front.BodyPlan{Limit: x.route.maxBody(), Keep: x.route.keepsBody()}
	if x.route != nil && x.route.guards != nil {
		plan.Owner = x
		plan.Large = plan.Limit == changeBodyLimit
	}
	err := s.front.ReadBody(x.ctx, &x.in, plan)
	switch {
	case errors.Is(err, front.ErrBodyTooLarge):
		return commerce.BodyTooLarge
	case errors.Is(err, front.ErrNoRoomForBody):
		return noRoomForBody
	case errors.Is(err, front.ErrBroken):
		return x.unreadable(err)
	}
	if !x.in.Unread {
		x.began = time.Now() // the deadline counts from the last byte
	}
	return err
}

// BodyStore returns the store whose memory the body takes, by the API key in the head; uuid.Nil if
// there is no such key.
func (x *exchange) BodyStore() (uuid.UUID, error) {
	key, ok := bearer(&x.sent.authorization)
	if !ok {
		return uuid.Nil, nil
	}
	r := &x.request
	r.KeyHash, r.Began, r.Deadline = commerce.HashSecret(key), x.began, time.Now().Add(x.server.requestTimeout)
	return x.server.engine.StoreOf(r)
}
