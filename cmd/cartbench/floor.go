package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"

	"cartd/bench/floor"
)

// Sizes of a body and a record for a cart of three lines. Without --answers the floor uses them for
// the requests of the cartd adapter.
const (
	recordBytes = 261
	answerBytes = 1900
)

func runFloor(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	var listen, url, file string
	var record, answer int
	fs := flag.NewFlagSet("floor", flag.ContinueOnError)
	fs.StringVar(&listen, "listen", "127.0.0.1:8080", "`address` to serve HTTP on")
	fs.StringVar(&url, "redis", "redis://127.0.0.1:6379/0", "`URL` of Redis")
	fs.StringVar(&file, "answers", "", "JSON `FILE` with the answers (the suite writes one from cartd's answers)")
	fs.IntVar(&record, "record", recordBytes, "`bytes` that a write stores, without --answers")
	fs.IntVar(&answer, "answer", answerBytes, "`bytes` of an answer, without --answers")
	if err := parse(fs, args, stdout, "cartbench floor [flags]"); err != nil {
		return err
	}
	answers, err := floorAnswers(file, record, answer)
	if err != nil {
		return err
	}
	server, err := floor.New(url, answers)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", listen)
	if err != nil {
		return err
	}
	slog.New(slog.NewJSONHandler(stderr, nil)).Info("listening", "addr", listener.Addr().String())
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
		return server.Close()
	}
}

func floorAnswers(file string, record, size int) (answers []floor.Answer, err error) {
	if file == "" {
		return floor.CartAnswers(record, size), nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &answers); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return answers, nil
}
