package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"cartd/persistence/redisdb"
)

// logStart logs the version, Redis, the number of stores and all flags.
func (n *node) logStart(fs *flag.FlagSet) {
	stores, err := n.storeCount()
	redis := redisdb.RedactURL(n.config.redis.url)
	attrs := []any{"version", release, "redis", redis, "stores", stores}
	if err != nil {
		attrs = append(attrs, "error", err.Error())
	}
	n.log.Info("starting", append(attrs, slog.Group("flags", effectiveFlags(fs, redis, n.config.redis.read)...))...)
	if err == nil && stores == 0 {
		n.log.Warn("0 stores: every request will be 401 until one is imported: cartd import")
	}
}

// effectiveFlags returns the values of all flags, without secrets.
func effectiveFlags(fs *flag.FlagSet, redis, redisFile string) (all []any) {
	fs.VisitAll(func(f *flag.Flag) {
		value := f.Value.String()
		switch f.Name {
		case "redis":
			value = redis
		case "redis-file":
			value = redisFile
		case "otlp":
			value = redisdb.RedactURL(value)
		}
		all = append(all, slog.String(f.Name, value))
	})
	return all
}

const (
	// shutdownTimeout bounds the wait for requests in flight after the drain delay. deliveryTimeout
	// bounds the wait for a webhook's receiver in that time. exitTimeout bounds the whole stop after
	// the drain delay.
	shutdownTimeout = 12 * time.Second
	deliveryTimeout = 5 * time.Second
	exitTimeout     = 13 * time.Second
	// flushTimeout bounds the wait for the last lines of the log, which standard error does not take if it is a
	// full pipe.
	flushTimeout = time.Second
)

// notifySignals sends the signals that stop a node to stops: SIGTERM, SIGINT and, where standard input
// is a terminal, SIGHUP, which comes when the terminal closes. Elsewhere SIGHUP asks for a reload, and
// goes to reloads. A SIGHUP that was ignored at the start (nohup) stays ignored.
func notifySignals(stops, reloads chan<- os.Signal, stdin any) {
	signal.Notify(stops, syscall.SIGTERM, syscall.SIGINT)
	switch {
	case signal.Ignored(syscall.SIGHUP):
	case isTerminal(stdin):
		signal.Notify(stops, syscall.SIGHUP)
	default:
		signal.Notify(reloads, syscall.SIGHUP)
	}
}

// isTerminal reports whether a stream is a terminal, which alone knows the size of its window. A null
// device is a character device, too: systemd (PrivateDevices=yes) and container engines give the process
// another /dev than that of its standard input, so files cannot be compared.
func isTerminal(stream any) bool {
	f, is := stream.(*os.File)
	if !is {
		return false
	}
	raw, err := f.SyscallConn()
	if err != nil {
		return false
	}
	terminal := false
	err = raw.Control(func(fd uintptr) {
		_, err := unix.IoctlGetWinsize(int(fd), unix.TIOCGWINSZ)
		terminal = err == nil
	})
	return err == nil && terminal
}

// stop serves on for the drain delay, then finishes the requests in flight. A second signal ends
// the drain delay.
func (n *node) stop(sent os.Signal, signals <-chan os.Signal) {
	n.server.Drain()
	n.log.Info("stopping", "signal", sent.String())
	select {
	case <-time.After(n.config.drainDelay):
	case <-signals:
	}
	time.AfterFunc(exitTimeout, n.exit)
	shutdown, cancel := context.WithTimeout(context.Background(), shutdownTimeout)
	defer cancel()
	delivered := make(chan struct{})
	go func() { n.deliverer.Stop(deliveryTimeout); close(delivered) }()
	if err := n.server.Shutdown(shutdown); err != nil {
		n.log.Warn("requests were still under way", "error", err.Error())
	}
	<-delivered
	n.log.Info("stopped")
}

// exit ends the process although work is under way, such as calls of a silent Redis.
func (n *node) exit() {
	n.log.Warn("stopped with work under way")
	n.lines.flush(flushTimeout)
	os.Exit(0)
}

// reload reads again what a node takes from files: the URL of Redis with its password, the certificates
// for rediss://, the level of the log, the trusted proxies and the origins. A fault in any of them
// leaves all as they are.
func (n *node) reload() {
	changed, err := n.readAgain()
	if err != nil {
		n.log.Error("nothing was reloaded", "error", err.Error())
		return
	}
	n.log.Info("reloaded", "changed", changed)
}

// readAgain returns the flags whose values are others now.
func (n *node) readAgain() (changed []string, err error) {
	c := n.config
	var proxies prefixFlag
	var origins originFlag
	var level levelFlag
	if err := c.trustedProxies.again(&proxies); err != nil {
		return nil, fmt.Errorf("--trusted-proxies: %w", err)
	}
	if err := c.corsOrigins.again(&origins); err != nil {
		return nil, fmt.Errorf("--cors-origins: %w", err)
	}
	if err := c.logLevel.again(&level); err != nil {
		return nil, fmt.Errorf("--log-level: %w", err)
	}
	changed = []string{}
	if c.redis.url != embeddedURL { // last, because it counts at once
		url := c.redis.url
		if c.redis.read != "" {
			if url, err = readURL(c.redis.read); err != nil {
				return nil, err
			}
		}
		other, err := n.db.Redis().Reload(url)
		if err != nil {
			return nil, fmt.Errorf("redis: %w", err)
		}
		if other {
			changed = append(changed, "redis")
		}
	}
	if !slices.Equal(proxies.list, c.trustedProxies.list) {
		changed = append(changed, "trusted-proxies")
	}
	if !slices.Equal(origins.list, c.corsOrigins.list) {
		changed = append(changed, "cors-origins")
	}
	n.server.Trust(proxies.list, origins.list)
	c.trustedProxies, c.corsOrigins = proxies, origins
	if now := level.level.Level(); now != c.logLevel.level.Level() {
		changed = append(changed, "log-level")
		c.logLevel.level.Set(now)
	}
	return changed, nil
}
