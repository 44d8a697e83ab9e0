//go:build long

package persistence

import (
	"testing"
	"time"

	"cartd/internal/redistest"
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

// An operator's command ends once the replicas have its writes, of which there may be some on each master
// of a cluster.
func TestLongWritesOfCommandsReachTheReplicas(t *testing.T) {
	t.Parallel()
	_, replica, db := following(t)
	if err := db.client.AwaitReplicas(1); err != nil {
		t.Errorf("with its replica: %v", err)
	}
	replica.Pause()
	if err := db.client.AwaitReplicas(1); err == nil {
		t.Error("the replica is silent, and counts")
	}
	replica.Resume()
	url, halves := cluster(t)
	of := node(t, halves[0], impatient, func(c *Config) { c.URL = url })
	if err := of.client.AwaitReplicas(0); err != nil {
		t.Errorf("in a cluster without replicas: %v", err)
	}
	for half, s := range halves {
		if redistest.InfoField(s.Client().Info(background, "commandstats").Val(), "cmdstat_wait") == "" {
			t.Errorf("master %d was not asked", half)
		}
	}
	if err := of.client.AwaitReplicas(1); err == nil {
		t.Error("a cluster without replicas has one")
	}
}
