package redisdb

import (
	"testing"
	"time"

	"cartd/internal/redistest"
)

// A new password is tried for at most a Timeout, also where Redis takes the connection and then is silent.
func TestSecretsAreTriedForATimeout(t *testing.T) {
	s := redistest.Real(t)
	s.Pause()
	for form, url := range map[string]string{
		"one server": s.URL(), "cluster": s.URL() + "?addr=" + s.Addr(), "sentinel": s.URL() + "?master_name=shop",
	} {
		t.Run(form, func(t *testing.T) {
			a, err := parseAddress(url)
			if err != nil {
				t.Fatal(err)
			}
			c, began := &Client{config: Config{Timeout: 300 * time.Millisecond}}, time.Now()
			if err := c.try(a, &secrets{}); err == nil {
				t.Error("a silent Redis accepted it")
			}
			if took := time.Since(began); took > 2*time.Second {
				t.Errorf("tried for %v, Timeout %v", took, c.config.Timeout)
			}
		})
	}
}
