package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/google/uuid"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"cartd/httpserver"
	"cartd/internal/commandline"
)

// tracing sends a trace of each request to a collector. OpenTelemetry decides which requests are
// sampled: by their traceparent, else by OTEL_TRACES_SAMPLER, else all.
type tracing struct {
	provider *sdktrace.TracerProvider
	tracer   trace.Tracer
}

// newTracing returns nil if there is no collector.
func newTracing(endpoint string, log *slog.Logger) (*tracing, error) {
	if endpoint == "" {
		return nil, nil
	}
	headers, err := collectorHeaders()
	if err != nil {
		return nil, err
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { log.Warn("traces are lost", "error", err.Error()) }))
	exporter := otlptrace.NewUnstarted(&collectorClient{
		url: tracesURL(endpoint), http: &http.Client{Timeout: uploadTimeout}, headers: headers, plain: collectorVariable("COMPRESSION") == "none",
	})
	provider := sdktrace.NewTracerProvider(
		sdktrace.WithBatcher(exporter),
		sdktrace.WithResource(resource.NewSchemaless(attribute.String("service.name", cmp.Or(os.Getenv("OTEL_SERVICE_NAME"), "cartd")),
			attribute.String("service.version", release), attribute.String("service.instance.id", uuid.NewString()))),
	)
	return &tracing{provider, provider.Tracer("cartd")}, nil
}

// observer returns the function for httpserver's Trace; nil if tracing is off.
func (t *tracing) observer() func(*httpserver.Trace) {
	if t == nil {
		return nil
	}
	return t.observe
}

// observe makes a span of an answered request, and one of each phase.
func (t *tracing) observe(x *httpserver.Trace) {
	sent := propagation.MapCarrier{"traceparent": x.Parent, "tracestate": x.State}
	ctx := propagation.TraceContext{}.Extract(context.Background(), sent)
	ctx, root := t.tracer.Start(ctx, strings.TrimSpace(x.Method+" "+x.Route), trace.WithTimestamp(x.Began), trace.WithSpanKind(trace.SpanKindServer))
	defer root.End(trace.WithTimestamp(x.Ended))
	if !root.IsRecording() {
		return
	}
	root.SetAttributes(
		attribute.String("http.request.method", x.Method), attribute.String("http.route", x.Route), attribute.Int("http.response.status_code", x.Status),
		attribute.String("cartd.request_id", x.RequestID), attribute.String("cartd.store", x.Store),
	)
	if x.Status >= http.StatusInternalServerError {
		root.SetStatus(codes.Error, "")
	}
	for _, phase := range x.Phases {
		_, span := t.tracer.Start(ctx, phase.Name, trace.WithTimestamp(phase.Began))
		span.End(trace.WithTimestamp(phase.Ended))
	}
}

// lastTraces is the maximum time of a stop to send the remaining traces.
const lastTraces = time.Second

func (t *tracing) close() {
	if t == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), lastTraces)
	defer cancel()
	_ = t.provider.Shutdown(ctx) // the error handler has logged it
}

// collectorClient sends spans by OTLP over HTTP. OpenTelemetry's own client would bring all of gRPC
// into the program.
type collectorClient struct {
	url  string
	http *http.Client
	// headers are added to each request, such as the key of a hosted collector.
	headers http.Header
	// plain bodies are not packed.
	plain bool
}

// collectorVariable is an OpenTelemetry variable for traces, or else for all signals.
func collectorVariable(name string) string {
	return cmp.Or(os.Getenv("OTEL_EXPORTER_OTLP_TRACES_"+name), os.Getenv("OTEL_EXPORTER_OTLP_"+name))
}

// collectorHeaders reads OTEL_EXPORTER_OTLP_HEADERS: name=value pairs, separated by commas, the values
// percent-encoded. The error shows no value, because a value may be a key.
func collectorHeaders() (http.Header, error) {
	headers := http.Header{}
	for pair := range strings.SplitSeq(collectorVariable("HEADERS"), ",") {
		if strings.TrimSpace(pair) == "" {
			continue
		}
		name, text, found := strings.Cut(pair, "=")
		value, err := url.PathUnescape(strings.TrimSpace(text))
		name = strings.TrimSpace(name)
		if !found || err != nil || !isHeaderName(name) || strings.ContainsAny(value, "\r\n\x00") {
			return nil, commandline.Usage("OTEL_EXPORTER_OTLP_HEADERS is not valid: write name=value pairs with commas between them, and percent-encode what is " +
				"special in a value")
		}
		headers.Add(name, value)
	}
	return headers, nil
}

func isHeaderName(name string) bool {
	return name != "" && strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz0123456789-_.") == ""
}

const uploadTimeout = 10 * time.Second

// tracesURL returns the address for traces at a collector.
func tracesURL(endpoint string) string {
	const path = "/v1/traces"
	return strings.TrimSuffix(strings.TrimRight(endpoint, "/"), path) + path
}

// Start is part of otlptrace.Client.
func (*collectorClient) Start(context.Context) error { return nil }

// Stop is part of otlptrace.Client.
func (c *collectorClient) Stop(context.Context) error {
	c.http.CloseIdleConnections()
	return nil
}

// UploadTraces is part of otlptrace.Client. TracesData has the encoding of the collector's request.
func (c *collectorClient) UploadTraces(ctx context.Context, spans []*tracepb.ResourceSpans) error {
	body, err := proto.Marshal(&tracepb.TracesData{ResourceSpans: spans})
	if err != nil {
		return err
	}
	headers := c.headers.Clone()
	headers.Set("Content-Type", "application/x-protobuf")
	if !c.plain {
		body = packed(body)
		headers.Set("Content-Encoding", "gzip")
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header = headers
	answer, err := c.http.Do(request)
	if err != nil {
		var address *url.Error
		if errors.As(err, &address) {
			err = address.Err // the address may contain a password
		}
		return err
	}
	defer answer.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, 1<<16)) // the connection can then be used again
	if answer.StatusCode/100 != 2 {
		return fmt.Errorf("the collector answers %d", answer.StatusCode)
	}
	return nil
}

// packed returns a body as gzip.
func packed(body []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = w.Write(body) // into memory
	_ = w.Close()
	return out.Bytes()
}
