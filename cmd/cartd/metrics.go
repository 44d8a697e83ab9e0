package main

import (
	"context"
	"runtime/debug"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

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
