package answers

// Health is the answer of a node that runs. Its value are the silent servers of a Redis Cluster.
var Health = Object("Health",
	Value("status", Names("ok"), "", func([]string) string { return "ok" }),
	If(func(silent []string) bool { return len(silent) > 0 },
		Self("silent_redis_servers", Texts, "Servers of a Redis Cluster that do not answer while others do.")),
)
