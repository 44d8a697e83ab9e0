package cluster

import (
	"context"
	"testing"
)

func TestARestoredRedisHasWhatItHadAtTheBackup(t *testing.T) {
	r := newRedis(t)
	ctx := context.Background()
	set := func(value string) {
		t.Helper()
		if err := r.Client().Set(ctx, "k", value, 0).Err(); err != nil {
			t.Fatal(err)
		}
	}
	set("before")
	backup := r.Backup()
	set("after")
	r.Restart()
	if got := r.Client().Get(ctx, "k").Val(); got != "after" {
		t.Errorf("after a crash: %q, want after", got)
	}
	r.Restore(backup)
	if got := r.Client().Get(ctx, "k").Val(); got != "before" {
		t.Errorf("after the restore: %q, want before", got)
	}
	set("since")
	r.Restart()
	if got := r.Client().Get(ctx, "k").Val(); got != "since" {
		t.Errorf("after a crash of the restored one: %q, want since", got)
	}
}
