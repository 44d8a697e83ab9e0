//go:build long

package persistence

import (
	"testing"
	"time"
)

// An operation that waits for replicas waits until its deadline.
func TestLongReplicasAreAwaitedUntilTheDeadline(t *testing.T) {
	t.Parallel()
	s, replica, db := following(t)
	replica.Pause()
	s.Client().Set(background, "unrelated", "1", 0)
	const deadline = 6 * time.Second
	began, done := time.Now(), make(chan error, 1)
	go func() { done <- db.AwaitReplicas(shopID, began.Add(deadline)) }()
	time.Sleep(deadline * 3 / 4)
	replica.Resume()
	if err := <-done; err != nil {
		t.Errorf("%v, want the replica's answer, which came 1.5 s ahead of the deadline", err)
	}
}
