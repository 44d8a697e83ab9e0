package engine

import "cartd/ratelimit"

// Budget is the state of a limit after a request.
// Spec: Limits, Rate-limit headers.
type Budget = ratelimit.Decision
