package shoptest

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"
)

// Trips records the commands of each round trip of a client.
type Trips struct {
	mu   sync.Mutex
	made [][]string
}

// CountTrips records the trips of a client whose connections are open already.
func CountTrips(client redis.UniversalClient) *Trips {
	w := &Trips{}
	client.AddHook(w)
	return w
}

// Collect returns the trips since the last call.
func (w *Trips) Collect() [][]string {
	w.mu.Lock()
	defer w.mu.Unlock()
	made := w.made
	w.made = nil
	return made
}

// Want fails unless exactly these trips were made since the last call.
func (w *Trips) Want(t testing.TB, what string, want ...[]string) {
	t.Helper()
	if got := w.Collect(); !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("%s made the round trips %q, want %q", what, got, want)
	}
}

func (w *Trips) note(cmds ...redis.Cmder) {
	names := make([]string, len(cmds))
	for i, cmd := range cmds {
		names[i] = cmd.Name()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.made = append(w.made, names)
}

func (w *Trips) DialHook(next redis.DialHook) redis.DialHook { return next }

func (w *Trips) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		w.note(cmd)
		return next(ctx, cmd)
	}
}

func (w *Trips) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		w.note(cmds...)
		return next(ctx, cmds)
	}
}
