package main

import (
	"context"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/redisdb"
)

// tripMetrics measure the round trips to Redis that requests share.
type tripMetrics struct {
	duration *prometheus.HistogramVec
	byKind   map[redisdb.TripKind]prometheus.Observer // of duration
	commands prometheus.Histogram
	unmet    prometheus.Counter
}

func newTripMetrics() *tripMetrics {
	m := &tripMetrics{
		byKind: map[redisdb.TripKind]prometheus.Observer{},
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "cartd_redis_round_trip_seconds",
			Help:    "Duration of a round trip to Redis that requests share: read, write, script (sent again with its script), redirect (of a cluster).",
			Buckets: []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .1, .5, 1},
		}, []string{"kind"}),
		commands: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "cartd_redis_trip_commands", Help: "Commands in one round trip.", Buckets: []float64{1, 2, 4, 8, 16, 32, 64, 128, 256},
		}),
		unmet: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "cartd_redis_replicas_unmet_total", Help: "Round trips whose writes were acknowledged by fewer replicas than --redis-wait.",
		}),
	}
	for _, kind := range redisdb.TripKinds {
		m.byKind[kind] = m.duration.WithLabelValues(string(kind))
	}
	return m
}

// observe is redisdb's OnTrip.
func (m *tripMetrics) observe(trip redisdb.Trip) {
	m.byKind[trip.Kind].Observe(trip.Took.Seconds())
	m.commands.Observe(float64(trip.Commands))
	if trip.ReplicasUnmet {
		m.unmet.Inc()
	}
}

func (m *tripMetrics) collectors() []prometheus.Collector {
	return []prometheus.Collector{m.duration, m.commands, m.unmet}
}

// newRegistry registers all metrics of a node that is ready to serve.
func (n *node) newRegistry() *prometheus.Registry {
	r := n.registryOf(n.figures())
	r.MustRegister(storeCollector{n}, webhookCollector{n})
	return r
}

// waitingRegistry registers the metrics of a node that waits for Redis.
func (n *node) waitingRegistry() *prometheus.Registry {
	return n.registryOf(append(n.frontFigures(), figure{name: redisUp, help: redisUpHelp, read: func() float64 { return 0 }}))
}

// registryOf registers the metrics that need no Redis, and these figures.
func (n *node) registryOf(figures []figure) *prometheus.Registry {
	r := prometheus.NewRegistry()
	r.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), buildInfo())
	figures = append(figures, n.processFigures()...)
	r.MustRegister(n.trips.collectors()...)
	r.MustRegister(n.server.Collectors()...)
	for _, row := range figures {
		r.MustRegister(row.collector())
	}
	return r
}

// buildInfo is always 1, with the release and the build as labels.
func buildInfo() prometheus.Collector {
	labels := prometheus.Labels{"version": release, "revision": "", "goversion": ""}
	if info, known := debug.ReadBuildInfo(); known {
		labels["goversion"] = info.GoVersion
		if _, revision, found := strings.Cut(versionLine(info, known), "("); found {
			labels["revision"], _, _ = strings.Cut(revision, ")")
		}
	}
	built := prometheus.NewGauge(prometheus.GaugeOpts{Name: "cartd_build_info", Help: "Always 1; the labels name the release and the build.", ConstLabels: labels})
	built.Set(1)
	return built
}

// figure is a metric that a part of the node counts itself.
type figure struct {
	name, help string
	// label and value are its only label; both are empty if it has none.
	label, value string
	read         func() float64
}

// collector returns a counter if the name ends in _total, else a gauge.
func (f figure) collector() prometheus.Collector {
	var labels prometheus.Labels
	if f.label != "" {
		labels = prometheus.Labels{f.label: f.value}
	}
	if strings.HasSuffix(f.name, "_total") {
		return prometheus.NewCounterFunc(prometheus.CounterOpts{Name: f.name, Help: f.help, ConstLabels: labels}, f.read)
	}
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: f.name, Help: f.help, ConstLabels: labels}, f.read)
}

// storeCollector shows the stores in the node's memory. With --metrics-stores each store has series
// of its own. Without it, the age is that of the newest version.
type storeCollector struct{ n *node }

var (
	storesBytes = prometheus.NewDesc("cartd_stores_bytes",
		"Memory of the loaded stores: settings, catalogue and its index, estimated from their documents.", nil, nil)
	storesLimited = prometheus.NewDesc("cartd_stores_limited",
		"Loaded stores most of whose requests of the last minute were refused (429); with --metrics-stores 1 or 0 for each.", []string{"store", "name"}, nil)
	storesLoaded  = prometheus.NewDesc("cartd_stores_loaded", "Stores in the node's memory.", nil, nil)
	storesLagging = prometheus.NewDesc("cartd_stores_lagging", "Loaded stores whose latest import the node does not serve yet.", nil, nil)
	versionAge    = prometheus.NewDesc("cartd_store_version_age_seconds",
		"Age of the store's version in force; without a store label the newest of all loaded stores.", []string{"store"}, nil)
)

func (c storeCollector) Describe(descs chan<- *prometheus.Desc) {
	prometheus.DescribeByCollect(c, descs)
}

func (c storeCollector) Collect(metrics chan<- prometheus.Metric) {
	gauge := func(desc *prometheus.Desc, value float64, labels ...string) {
		metrics <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, value, labels...)
	}
	stores, lagging := c.n.db.Stores.Ages(), 0
	var newest time.Time
	var bytes int64
	limited := 0
	for _, s := range stores {
		bytes += s.Memory
		refused := c.n.server.Limited(s.ID)
		if refused {
			limited++
		}
		if s.Lags {
			lagging++
		}
		if s.Moved.After(newest) {
			newest = s.Moved
		}
		if c.n.config.metricsStores {
			gauge(versionAge, time.Since(s.Moved).Seconds(), s.ID.String())
			gauge(storesLimited, truth(refused), s.ID.String(), s.Name)
		}
	}
	if !c.n.config.metricsStores {
		gauge(storesLimited, float64(limited), "", "")
	}
	gauge(storesBytes, float64(bytes))
	gauge(storesLoaded, float64(len(stores)))
	gauge(storesLagging, float64(lagging))
	if !newest.IsZero() && !c.n.config.metricsStores {
		gauge(versionAge, time.Since(newest).Seconds(), "")
	}
}

// webhookCollector shows the deliveries in Redis for the webhooks of the loaded stores. All nodes
// show the same deliveries: use the maximum. It shows nothing while Redis is away.
type webhookCollector struct{ n *node }

var (
	webhooksWaiting = prometheus.NewDesc("cartd_webhooks_waiting", "Deliveries that wait in Redis, of the stores that the node has loaded.", nil, nil)
	webhooksOldest  = prometheus.NewDesc("cartd_webhooks_oldest_age_seconds", "Approximate time that the oldest of them has waited; 0 if none waits.", nil, nil)
)

func (c webhookCollector) Describe(descs chan<- *prometheus.Desc) {
	descs <- webhooksWaiting
	descs <- webhooksOldest
}

func (c webhookCollector) Collect(metrics chan<- prometheus.Metric) {
	waiting, oldest, err := c.n.db.Outbox().Backlog()
	if err != nil {
		return
	}
	age := 0.0
	if !oldest.IsZero() {
		age = max(0, time.Since(oldest).Seconds())
	}
	metrics <- prometheus.MustNewConstMetric(webhooksWaiting, prometheus.GaugeValue, float64(waiting))
	metrics <- prometheus.MustNewConstMetric(webhooksOldest, prometheus.GaugeValue, age)
}

// storeCount returns the number of stores in Redis.
func (n *node) storeCount() (int64, error) {
	ctx, cancel := context.WithTimeout(context.Background(), n.config.redis.timeout)
	defer cancel()
	return n.db.Stores.Count(ctx)
}

// figures are the metrics that the parts of the node count themselves.
func (n *node) figures() []figure {
	all := n.frontFigures()
	all = append(all, n.visitFigures()...)
	all = append(all, n.recordFigures()...)
	all = append(all, n.redisFigures()...)
	return append(all, n.eventFigures()...)
}

// started is when the process began. The start time of Prometheus's own collector is missing where /proc has
// processes only (systemd's ProcSubset=pid).
var started = time.Now()

// processFigures are the metrics of the process and of its log.
func (n *node) processFigures() []figure {
	return []figure{
		{name: "cartd_start_time_seconds", help: "When the process began, in Unix seconds.", read: func() float64 { return float64(started.UnixMilli()) / 1000 }},
		{name: "cartd_memory_live_bytes", help: "Memory that a garbage collection cannot free.", read: func() float64 { return float64(liveMemory()) }},
		{name: "cartd_memory_limit_bytes", help: "Go's memory limit: GOMEMLIMIT, or what cartd sets.",
			read: func() float64 { return float64(debug.SetMemoryLimit(-1)) }},
		{name: "cartd_log_lines_dropped_total", help: "Lines of the log that standard error did not take.",
			read: func() float64 { return float64(n.lines.dropped.Load()) }},
	}
}

func (n *node) frontFigures() []figure {
	return []figure{
		{name: "cartd_ready", help: "1 while /readyz answers 200.", read: func() float64 { return truth(n.server.Figures().Ready) }},
		{name: "cartd_requests_in_flight", help: "Requests being served.", read: func() float64 { return float64(n.server.Figures().InFlight) }},
		{name: "cartd_connections", help: "Open connections.", read: func() float64 { return float64(n.server.Figures().Connections) }},
		{name: "cartd_connections_limit", help: "Connections that may be open at a time.",
			read: func() float64 { return float64(n.server.Figures().MaxConnections) }},
		{name: "cartd_connections_refused_total", help: "Connections refused because the limit was reached.",
			read: func() float64 { return float64(n.server.Figures().Refused) }},
		{name: "cartd_streams", help: "Open streams of events.", read: func() float64 { return float64(n.server.Figures().Streams) }},
		{name: "cartd_bodies_bytes", help: "Memory of request bodies beyond their first KiB.", read: func() float64 { return float64(n.server.Figures().Bodies) }},
		{name: "cartd_answers_bytes", help: "Memory of answers that are being made or sent, beyond 16 KiB of each.",
			read: func() float64 { return float64(n.server.Figures().Answers) }},
		{name: "cartd_answers_limit_bytes", help: "The limit of --answer-bytes.", read: func() float64 { return float64(n.server.Figures().MaxAnswers) }},
		{name: "cartd_bodies_limit_bytes", help: "Limit of the memory of request bodies.", read: func() float64 { return float64(n.server.Figures().MaxBodies) }},
	}
}

// outcomes are the values of the label outcome.
var outcomes = [engine.Unknown + 1]string{
	engine.Done: "done", engine.OtherRecord: "record_conflict", engine.OtherFacts: "fact_conflict", engine.Short: "short_stock",
	engine.OverLimit: "over_limit", engine.OtherHead: "other_version", engine.TooLate: "late", engine.Held: "held", engine.Broken: "broken",
	engine.NotSent: "given_up", engine.Refused: "refused", engine.Unknown: "unknown",
}

// visitFigures are the metrics of visits.
func (n *node) visitFigures() []figure {
	count := n.carts.Counters()
	all := []figure{
		{name: "cartd_visits_total", help: "Visits: commits and refusals that a call of the script judges.", read: counted(&count.Visits)},
		{name: "cartd_visited_requests_total", help: "Requests in these visits. Requests divided by visits are the size of a batch.", read: counted(&count.Visited)},
		{name: "cartd_visit_resends_total", help: "Visits sent again because their outcome was not known.", read: counted(&count.Resends)},
	}
	for kind, outcome := range outcomes {
		all = append(all, figure{
			name: "cartd_visit_outcomes_total", help: "Visits sent, by outcome.",
			label: "outcome", value: outcome, read: counted(&count.Outcomes[kind]),
		})
	}
	return all
}

func (n *node) recordFigures() []figure {
	count := n.carts.Counters()
	all := []figure{
		{name: "cartd_resident_bytes", help: "Memory of the resident records.", read: func() float64 { bytes, _ := n.carts.ResidentBytes(); return float64(bytes) }},
		{name: "cartd_resident_limit_bytes", help: "The limit of --resident.", read: func() float64 { _, limit := n.carts.ResidentBytes(); return float64(limit) }},
		{name: "cartd_store_clients", help: "Clients that the node counts for store.limits.per_client: at most 100000.",
			read: func() float64 { return float64(n.db.StoreClients()) }},
		{name: "cartd_mailbox_refusals_total", help: "Requests that found the mailbox of their cart, contact or quote full.", read: counted(&count.MailboxFull)},
		{name: "cartd_holds_expired_total", help: "Carts whose expired holds of stock this node released.",
			read: func() float64 { return float64(n.db.Stock.HoldsExpired()) }},
	}
	for i, name := range commerce.CounterNames() {
		all = append(all, figure{
			name: "cartd_uses_refused_total", help: "Uses of discounts that a sale could not count because a limit was reached, by limit.",
			label: "limit", value: name, read: func() float64 { return float64(n.db.RefusedUses(commerce.Counter(i))) },
		})
	}
	for _, kind := range n.kinds {
		all = append(all,
			figure{"cartd_resident_records", "Resident records.", "kind", kind.Kind(), func() float64 { records, _ := kind.Resident(); return float64(records) }},
			figure{"cartd_resident_actors", "Records with a running actor.", "kind", kind.Kind(), func() float64 {
				_, actors := kind.Resident()
				return float64(actors)
			}},
		)
	}
	for _, row := range []struct {
		name, help, label, value string
		count                    *atomic.Uint64
	}{
		{"cartd_reads_total", "Reads of records, by where the record came from.", "from", "memory", &count.Hits},
		{"cartd_reads_total", "Reads of records, by where the record came from.", "from", "redis", &count.Loads},
		{"cartd_reads_total", "Reads of records, by where the record came from.", "from", "reload", &count.Reloads},
		{"cartd_passivations_total", "Records packed because they were idle, and records that left the memory to make room.", "cause", "idle", &count.Passivated},
		{"cartd_passivations_total", "Records packed because they were idle, and records that left the memory to make room.", "cause", "memory", &count.Evicted},
	} {
		all = append(all, figure{row.name, row.help, row.label, row.value, counted(row.count)})
	}
	return all
}

const (
	redisUp     = "cartd_redis_up"
	redisUpHelp = "1 while Redis can be reached."
)

func (n *node) redisFigures() []figure {
	redis := n.db.Redis()
	return []figure{
		{name: redisUp, help: redisUpHelp, read: func() float64 { return truth(!redis.Unreachable()) }},
		{name: "cartd_redis_read_only", help: "1 while Redis answers but takes no writes.", read: func() float64 { return truth(redis.ReadOnly()) }},
		{name: "cartd_redis_cluster_servers", help: "Servers of the Redis Cluster that the node knows; 0 without a cluster.",
			read: func() float64 { return float64(redis.ClusterServers()) }},
		{name: "cartd_redis_cluster_servers_silent", help: "Servers of the Redis Cluster that do not answer.",
			read: func() float64 { return float64(len(redis.SilentServers())) }},
		{name: "cartd_redis_memory_ratio", help: "Part of maxmemory that the fullest master uses; 0 without maxmemory.", read: redis.FullestMemory},
		{name: "cartd_redis_clock_difference_seconds",
			help: "How far the clock of a master is ahead of the node's, or behind it (negative): the largest difference of the last minute.",
			read: func() float64 { return redis.ClockAhead().Seconds() }},
		{name: "cartd_stores_stopped", help: "Stores that may not grow because the memory of their master is nearly full.",
			read: func() float64 { return float64(n.db.StoresStopped()) }},
		{name: "cartd_redis_failovers_total", help: "Masters that took over since the start.", read: func() float64 { return float64(redis.Failovers()) }},
		{name: "cartd_stores_limit_bytes", help: "The limit of --store-memory.", read: func() float64 { return float64(n.config.storeMemory) }},
		{name: "cartd_stores_evicted_total", help: "Stores that left the memory because all took more than --store-memory.",
			read: func() float64 { return float64(n.db.Stores.Evicted()) }},
		{name: "cartd_store_imports_total", help: "Imports that the node has followed.", read: func() float64 { return float64(n.db.Stores.Imports()) }},
	}
}

func (n *node) eventFigures() []figure {
	const attempts = "Attempts to deliver a webhook's event, by result."
	return []figure{
		{"cartd_webhook_attempts_total", attempts, "result", "delivered", func() float64 { return float64(n.deliverer.Counts().Delivered) }},
		{"cartd_webhook_attempts_total", attempts, "result", "failed", func() float64 { return float64(n.deliverer.Counts().Failed) }},
		{name: "cartd_unpaid_ended_total", help: "Orders that this node ended because nobody paid in time.",
			read: func() float64 { ended, _ := n.db.Unpaid().Ended(); return float64(ended) }},
		{name: "cartd_unpaid_delayed_total", help: "Unpaid orders that could not be ended, and were put off for a minute.",
			read: func() float64 { _, delayed := n.db.Unpaid().Ended(); return float64(delayed) }},
		{name: "cartd_unpaid_overdue_seconds", help: "How long the oldest unpaid order is overdue, of the stores that this node serves.",
			read: func() float64 { return n.db.Unpaid().Oldest().Seconds() }},
		{name: "cartd_webhooks_given_up_total", help: "Events that were given up after a day.",
			read: func() float64 { return float64(n.deliverer.Counts().GivenUp) }},
	}
}

// counted returns a function that reads a counter.
func counted(counter *atomic.Uint64) func() float64 {
	return func() float64 { return float64(counter.Load()) }
}

func truth(so bool) float64 {
	if so {
		return 1
	}
	return 0
}
