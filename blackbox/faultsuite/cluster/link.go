package cluster

import (
	"net"
	"time"
)

// link is one connection through a proxy.
type link struct {
	proxy     *Proxy
	near, far net.Conn
	lossy     bool // the proxy swallowed some of its bytes; guarded by the proxy's lock
}

func (l *link) close() {
	l.near.Close()
	l.far.Close()
}

// requests carries the node's bytes to Redis. It delivers them even if the node has hung up since.
func (l *link) requests() {
	l.pump(l.near, l.far, false)
	if far, ok := l.far.(*net.TCPConn); ok {
		_ = far.CloseWrite() // the connection may be closed already
	}
}

// replies carries the bytes of Redis to the node. It ends when Redis closes the connection, even if
// the node has hung up earlier.
func (l *link) replies() {
	l.pump(l.far, l.near, true)
	l.close()
	l.proxy.mu.Lock()
	defer l.proxy.mu.Unlock()
	delete(l.proxy.links, l)
}

const pieceSize = 64 << 10

func (l *link) pump(from, to net.Conn, reply bool) {
	buffer := make([]byte, pieceSize)
	deaf := false
	for {
		n, err := from.Read(buffer)
		if n > 0 && !deaf {
			open, heard := l.pass(to, buffer[:n], reply)
			if !open {
				return
			}
			deaf = !heard
		}
		if err != nil || deaf && !reply {
			return
		}
	}
}

// pass applies the weather to a piece. open is false if the connection is over. heard is true if
// the other side received the piece or never will.
func (l *link) pass(to net.Conn, piece []byte, reply bool) (open, heard bool) {
	f := l.proxy.fate(l, reply)
	switch {
	case f.swallowed:
		return true, true
	case f.broken:
		return false, false
	case f.until != nil:
		<-f.until
	case f.wait > 0:
		time.Sleep(f.wait)
	}
	_, err := to.Write(piece)
	return true, err == nil
}
