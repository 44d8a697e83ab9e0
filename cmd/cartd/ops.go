package main

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"cartd/httpserver"
)

// opsServer serves /metrics to operators, on a listener of its own that clients of
// the API do not reach. A nil one is off.
type opsServer struct {
	listener net.Listener
	http     *http.Server
}

// opsTimeout bounds each part of an operator's request.
const opsTimeout = 10 * time.Second

// listenOps makes the listener ready; nil where there is no address.
func listenOps(address string) (*opsServer, error) {
	if address == "" {
		return nil, nil
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("%w: choose another address with --ops-listen", err)
	}
	return &opsServer{listener, &http.Server{
		ReadTimeout: opsTimeout, WriteTimeout: opsTimeout, IdleTimeout: opsTimeout,
	}}, nil
}

// serve begins to answer.
func (o *opsServer) serve(server *httpserver.Server, log *slog.Logger) {
	if o == nil {
		return
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		_ = server.WriteMetrics(w) // a client that has gone
	})
	o.http.Handler = mux
	o.http.ErrorLog = slog.NewLogLogger(log.Handler(), slog.LevelWarn)
	log.Info("serving metrics", "addr", o.listener.Addr().String())
	go func() {
		if err := o.http.Serve(o.listener); !errors.Is(err, http.ErrServerClosed) {
			log.Error("metrics are served no more", "error", err.Error())
		}
	}()
}

func (o *opsServer) close() {
	if o != nil {
		o.http.Close()
		o.listener.Close() // where it was never served
	}
}
