package answers

import "cartd/internal/field"

// Health is the answer of a node that runs. Its value are the silent servers of a Redis Cluster.
var Health = field.Object("Health",
	field.Value("status", Names("ok"), "", func([]string) string { return "ok" }),
	field.If(func(silent []string) bool { return len(silent) > 0 },
		field.Self("silent_redis_servers", Texts, "Servers of a Redis Cluster that do not answer while others do.")),
)
