//go:build unix

package front

import (
	"net"
	"runtime"
	"syscall"
	"testing"
)

// A waiting stream takes less than 4 KiB beside its connection.
func TestMemoryOfAWaitingStream(t *testing.T) {
	const streams = 500
	s := onTCP(t)
	s.open() // what a server needs once
	before := memory()
	for range streams {
		rawStream(t, s)
		<-s.begun
	}
	took := (memory() - before) / streams
	t.Logf("%d bytes a stream, its connection included", took)
	if took >= 4<<10 {
		t.Errorf("a stream takes %d bytes, want less than 4 KiB", took)
	}
}

// memory is the memory of the heap and of the stacks that is in use.
func memory() int {
	var m runtime.MemStats
	for range 3 { // empties the pools, and ends what has finalizers
		runtime.GC()
	}
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc + m.StackInuse)
}

// rawStream opens a stream with a socket that takes no memory of this process.
func rawStream(t *testing.T, s *streamer) {
	t.Helper()
	c, err := s.dial()
	if err != nil {
		t.Fatal(err)
	}
	file, err := c.(*net.TCPConn).File()
	if err != nil {
		t.Fatal(err)
	}
	fd, err := syscall.Dup(int(file.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
	file.Close()
	t.Cleanup(func() { syscall.Close(fd) })
	if _, err := syscall.Write(fd, []byte("GET / HTTP/1.1\r\nHost: test\r\n\r\n")); err != nil {
		t.Fatal(err)
	}
}
