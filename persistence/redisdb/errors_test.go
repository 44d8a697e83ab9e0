package redisdb

import (
	"errors"
	"fmt"
	"io"
	"testing"
)

// A start waits where Redis makes or keeps no connection, does not answer, or waits for replicas: also if the
// connection was refused. Every other answer ends it.
func TestMayPass(t *testing.T) {
	for _, c := range []struct {
		err  error
		want bool
	}{
		{io.EOF, true}, {dialFault("EOF"), true}, {dialFault("read tcp 127.0.0.1:1->127.0.0.1:2: read: connection reset by peer"), true},
		{dialFault("LOADING Redis is loading the dataset in memory"), true}, {errNoAnswer, true}, {errNotSent, true},
		{fmt.Errorf("the connection to Redis broke, import again: %w", dialFault("EOF")), true}, {fmt.Errorf("store: %w", errNoAnswer), true},
		{notAcknowledged{0, 1}, true},
		{dialFault("NOAUTH Authentication required."), false}, {dialFault("NOPERM no permissions"), false}, {errors.New("another fault"), false},
	} {
		if got := MayPass(c.err); got != c.want {
			t.Errorf("%v: may pass is %v", c.err, got)
		}
	}
}
