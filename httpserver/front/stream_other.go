//go:build !unix

package front

import (
	"net"
	"syscall"
)

// writeNow writes as many bytes as the socket takes in a moment.
func writeNow(c net.Conn, _ syscall.RawConn, b []byte) (int, error) { return writeSoon(c, b) }

// hasLeft is not known here: the next write shows it.
func hasLeft(syscall.RawConn) bool { return false }
