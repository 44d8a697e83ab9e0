package cluster

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/redis/go-redis/v9"
)

func TestRestoredRedisHasTheKeysOfTheBackup(t *testing.T) {
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

// Redis drops a script whose write was cut off, and keeps every write after it.
func TestUnfinishedScriptIsDroppedForGood(t *testing.T) {
	r := newRedis(t)
	ctx := context.Background()
	files, err := filepath.Glob(filepath.Join(r.dir, appendDir, "*.incr.aof"))
	if err != nil || len(files) != 1 {
		t.Fatalf("the append-only file's last part: %q, %v", files, err)
	}
	if err := r.Client().Eval(ctx, `redis.call('INCR', 'first') redis.call('INCR', 'second')`, nil).Err(); err != redis.Nil {
		t.Fatal(err)
	}
	r.Kill()
	part, err := os.Stat(files[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(files[0], part.Size()-int64(len("ond\r\n*1\r\n$4\r\nEXEC\r\n"))); err != nil {
		t.Fatal(err)
	}
	r.Restart()
	if err := r.Client().Set(ctx, "after", "kept", 0).Err(); err != nil {
		t.Fatal(err)
	}
	r.Restart()
	if got := r.Client().MGet(ctx, "first", "second", "after").Val(); got[0] != nil || got[1] != nil || got[2] != "kept" {
		t.Errorf("first, second and after: %v, want only the last", got)
	}
}
