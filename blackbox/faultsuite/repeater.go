package faultsuite

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"cartd/blackbox/faultsuite/cluster"
	"cartd/blackbox/faultsuite/history"
	"cartd/blackbox/faultsuite/model"
)

// repeater sends requests to any node until they have a definite answer, and notes violations.
type repeater struct {
	lines    []*line
	requests atomic.Int64
	// late reports whether repetitions of a request that was first sent then must end.
	late func(first time.Time) bool

	mu         sync.Mutex
	Violations []history.Violation
}

// connect sends to the nodes of a cluster.
func (r *repeater) connect(c *cluster.Cluster) {
	for _, n := range c.Nodes {
		r.lines = append(r.lines, &line{where: n.Addr})
	}
}

func (r *repeater) hangUp() {
	for _, l := range r.lines {
		l.close()
	}
}

// repeat sends a request to one node or another until the answer has one of these statuses. The answer
// is empty if none came in time. Each sending names a caller of its own.
func (r *repeater) repeat(dice *rand.Rand, key, path string, request model.Request, once string, wanted ...int) (a answer) {
	for first := time.Now(); !r.late(first); {
		n := r.requests.Add(1)
		request.Caller = fmt.Sprintf("10.%d.%d.%d", n>>16&0xff, n>>8&0xff, n&0xff)
		a = r.lines[dice.IntN(len(r.lines))].send(key, path, request, once)
		if slices.Contains(wanted, a.status) {
			return a
		}
		if a.status != 0 && a.status != http.StatusServiceUnavailable && a.status != http.StatusGatewayTimeout {
			break
		}
		<-time.After(time.Duration(dice.IntN(20)) * ms)
	}
	r.violate("an answer", "%s %s %s: %d %s", request.Method, path, request.Body, a.status, a.body)
	return answer{}
}

func (r *repeater) violate(check, format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Violations = append(r.Violations, history.Violation{Check: check, Text: fmt.Sprintf(format, args...)})
}

// found reports whether a check failed.
func (r *repeater) found(check string) bool {
	return slices.ContainsFunc(r.Violations, func(v history.Violation) bool { return v.Check == check })
}

// summary is a line about the run, with its first violations.
func (r *repeater) summary(format string, args ...any) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d requests, ", r.requests.Load())
	fmt.Fprintf(&b, format, args...)
	count := map[string]int{}
	for i := range r.Violations {
		count[r.Violations[i].Check]++
	}
	if len(count) > 0 {
		fmt.Fprintf(&b, "\nviolations: %v", count)
	}
	for i := range min(len(r.Violations), 10) {
		fmt.Fprintf(&b, "\n%s", r.Violations[i].String())
	}
	return b.String()
}
