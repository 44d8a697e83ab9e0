package front

import (
	"errors"
	"net"
	"os"
	"testing"
	"testing/synctest"
	"time"
)

// sending is a client that sends pieces of a body, each after a pause.
type sending struct {
	net.Conn
	pieces []piece
	until  time.Time
}

type piece struct {
	after time.Duration
	bytes int
}

func (s *sending) SetReadDeadline(t time.Time) error { s.until = t; return nil }

func (s *sending) SetWriteDeadline(time.Time) error { return nil }

func (s *sending) Read(b []byte) (int, error) {
	next := piece{after: time.Hour}
	if len(s.pieces) > 0 {
		next = s.pieces[0]
	}
	if at := time.Now().Add(next.after); at.After(s.until) {
		time.Sleep(time.Until(s.until))
		return 0, os.ErrDeadlineExceeded
	}
	time.Sleep(next.after)
	s.pieces = s.pieces[1:]
	return next.bytes, nil
}

// A body has 2 s for each 16 KiB, or for its rest, and 15 s in all. What has come earlier earns no
// more time.
func TestPaceOfABody(t *testing.T) {
	const step, second = bodyStep, time.Second
	for name, row := range map[string]struct {
		pieces []piece
		want   time.Duration // until the time-out
	}{
		"nothing":                   {nil, 2 * second},
		"a byte":                    {[]piece{{second, 1}}, 2 * second},
		"a trickle":                 {[]piece{{second, 1}, {second / 2, 1}, {second / 4, 1}, {second / 8, 1}}, 2 * second},
		"all but a byte":            {[]piece{{second, step - 1}}, 2 * second},
		"a step":                    {[]piece{{second, step}}, 3 * second},
		"a step in two":             {[]piece{{second, step - 1}, {second / 2, 1}}, 3*second + second/2},
		"many steps at once":        {[]piece{{second, 9 * step}}, 3 * second},
		"a step at the last moment": {[]piece{{2 * second, step}}, 4 * second},
		"steps until the request's": {[]piece{{2 * second, step}, {2 * second, step}, {2 * second, step}, {2 * second, step}, {2 * second, step},
			{2 * second, step}, {2 * second, step}}, 15 * second},
		"a step, then all but a byte": {[]piece{{second, step}, {second, step - 1}}, 3 * second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := &Conn{Conn: &sending{pieces: row.pieces}, from: &listener{answers: newAnswers(1, 1, nil), readTimeout: readTimeout, bodyTime: bodyTime},
					received: true}
				began := time.Now()
				c.SetReadDeadline(began.Add(idleTimeout))
				c.SetReadDeadline(began.Add(readTimeout))
				c.SetReadDeadline(began.Add(bodyFollows + bodyTime))
				for n := 0; !c.pace.late; n++ {
					if got, err := c.Read(make([]byte, 16*step)); err != nil || got == 0 {
						t.Fatalf("read %d: %d, %v", n, got, err)
					}
				}
				if took := time.Since(began); took != row.want {
					t.Errorf("late after %v, want %v", took, row.want)
				}
			})
		})
	}
}

// The pace ends with the answer: the next head has the time of a request again.
func TestPaceEndsWithTheAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := &sending{pieces: []piece{{time.Second, bodyStep}}}
		c := &Conn{Conn: client, from: &listener{answers: newAnswers(1, 1, nil), readTimeout: readTimeout, bodyTime: bodyTime}, received: true}
		for range 2 {
			c.SetReadDeadline(time.Now().Add(readTimeout))
			c.SetReadDeadline(time.Now().Add(readTimeout))
			c.SetReadDeadline(time.Now().Add(bodyFollows + bodyTime))
			client.pieces = []piece{{time.Second, bodyStep}}
			c.Read(make([]byte, bodyStep))
			c.SetWriteDeadline(time.Now().Add(writeTimeout))
		}
		c.SetReadDeadline(time.Now().Add(idleTimeout))
		c.SetReadDeadline(time.Now().Add(readTimeout))
		began := time.Now()
		n, err := c.Read(make([]byte, 1))
		if took := time.Since(began); n != 0 || !errors.Is(err, os.ErrDeadlineExceeded) || took != readTimeout {
			t.Errorf("the next head: %d, %v after %v; want a time-out after %v", n, err, took, readTimeout)
		}
	})
}

// The first request of a connection has its whole time after its first byte, however long ago the
// connection was opened.
func TestTheFirstRequestsTimeBeginsWithItsFirstByte(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := quiet().newListener(troubledBy())
		l.readTimeout = readTimeout
		c := l.enter(&sending{pieces: []piece{{10 * time.Second, 1}}})
		c.SetReadDeadline(time.Now().Add(readTimeout))
		c.Read(make([]byte, 1))
		began := time.Now()
		_, err := c.Read(make([]byte, 1))
		if took := time.Since(began); !errors.Is(err, os.ErrDeadlineExceeded) || took != readTimeout {
			t.Errorf("%v after %v; want a time-out after %v", err, took, readTimeout)
		}
	})
}
