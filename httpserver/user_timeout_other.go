//go:build !linux

package httpserver

import (
	"net"
	"time"
)

// limitUnread does nothing: only Linux has the option.
func limitUnread(net.Conn, time.Duration) {}
