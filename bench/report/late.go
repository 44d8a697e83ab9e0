package report

import (
	"fmt"

	"cartd/bench"
)

// lateView says how much of an open loop's latency passed before the requests were sent.
type lateView struct {
	Text string
	// Warning is set if the latencies are not those of the server.
	Warning string
}

// muchLate is the share of the latency's p99 from which on the delay of the sends distorts it.
const muchLate = 0.1

// late describes a run's delay. The view is nil for a closed loop, where a request has no intended
// moment, and for runs of older harnesses.
func late(r *bench.Result) *lateView {
	if r.RateAsked == 0 || r.OwnLate.Count == 0 || r.FromSend.Count == 0 {
		return nil
	}
	v := &lateView{Text: fmt.Sprintf(
		"Latency counts from the intended moment: p99 %s. Requests were sent late by p50 %s, p99 %s, at most %s; with a free connection, so by the client itself, "+
			"by p99 %s. From the real send to the answer: p50 %s, p99 %s.",
		duration(r.Latency.P99), duration(r.Late.P50), duration(r.Late.P99), duration(r.Late.Max), duration(r.OwnLate.P99), duration(r.FromSend.P50),
		duration(r.FromSend.P99))}
	switch {
	case r.Late.P99 < muchLate*r.Latency.P99:
	case r.OwnLate.P99 >= r.Late.P99/2:
		v.Warning = fmt.Sprintf("The client was late: %s of the p99 of %s are its own delay, not the server's. Give it a free processor or ask a lower rate.",
			duration(min(r.OwnLate.P99, r.Latency.P99)), duration(r.Latency.P99))
	default:
		v.Warning = fmt.Sprintf("Every connection was busy: at p99 a request waited %s for one before it was sent. Look whether the server is at its limit; if "+
			"not, give the client more connections.",
			duration(r.Late.P99))
	}
	return v
}
