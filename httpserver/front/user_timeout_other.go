//go:build !linux

package front

import (
	"net"
	"time"
)

// limitUnread does nothing: only Linux has the option.
func limitUnread(net.Conn, time.Duration) {}
