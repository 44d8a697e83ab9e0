package main

import (
	"flag"
	"log/slog"

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
