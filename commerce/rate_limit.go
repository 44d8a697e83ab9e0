package commerce

import "time"

// RateWindow is the length of the sliding window of every request limit.
// Spec: Limits, Request rate.
const RateWindow = time.Minute

// DefaultRateLimit is the number of requests within RateWindow for a store without its own limit,
// and for every unauthenticated client address. Spec: Limits, Request rate.
const DefaultRateLimit = 120
