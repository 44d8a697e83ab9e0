package main

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	dto "github.com/prometheus/client_model/go"
)

// opsServer serves /metrics and /debug/pprof/ to operators, on a listener that clients of the API
// do not reach. It is nil if it is off.
type opsServer struct {
	listener net.Listener
	http     *http.Server
	// registry has the metrics that are served.
	registry atomic.Pointer[prometheus.Registry]
}

// opsTimeout bounds an operator's request, profileTimeout its answer: a profile takes 30 s by
// default.
const (
	opsTimeout     = 10 * time.Second
	profileTimeout = 2 * time.Minute
)

// listenOps opens the listener; nil if there is no address.
func listenOps(address string) (*opsServer, error) {
	if address == "" {
		return nil, nil
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("%w: choose another address with --ops-listen", err)
	}
	return &opsServer{listener: listener, http: &http.Server{
		ReadTimeout: opsTimeout, WriteTimeout: profileTimeout, IdleTimeout: opsTimeout,
	}}, nil
}

// show serves these metrics from now on.
func (o *opsServer) show(metrics *prometheus.Registry) {
	if o != nil {
		o.registry.Store(metrics)
	}
}

// serve starts to answer.
func (o *opsServer) serve(metrics *prometheus.Registry, log *slog.Logger) {
	if o == nil {
		return
	}
	o.show(metrics)
	mux := http.NewServeMux()
	shown := prometheus.GathererFunc(func() ([]*dto.MetricFamily, error) { return o.registry.Load().Gather() })
	mux.Handle("GET /metrics", promhttp.HandlerFor(shown, promhttp.HandlerOpts{}))
	// The command line may hold Redis's password: /debug/pprof/cmdline is left out.
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	o.http.Handler = mux
	o.http.ErrorLog = slog.NewLogLogger(log.Handler(), slog.LevelWarn)
	log.Info("serving metrics", "addr", o.listener.Addr().String())
	go func() {
		if err := o.http.Serve(o.listener); !errors.Is(err, http.ErrServerClosed) {
			log.Error("metrics are no longer served", "error", err.Error())
		}
	}()
}

func (o *opsServer) close() {
	if o != nil {
		o.http.Close()
		o.listener.Close() // if it was never served
	}
}
