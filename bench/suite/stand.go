package suite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"

	"cartd/bench"
	"cartd/bench/floor"
	"cartd/internal/process"
)

// stand starts the processes that cases need, each at its first use.
type stand struct {
	cartd, self string // programs
	dir         string
	adapter     *bench.Adapter
	store, sale string // files
	samples     *bench.Samples
	systems     map[System]*system
	stops       []func() int // of the processes
}

// system is a running server with its Redis.
type system struct {
	target    string
	processes bench.Processes
	unjudged  bool
	redis     string // host:port
}

// newStand makes a stand with a directory of its own. end removes it.
func newStand(cartd, self string) (*stand, error) {
	adapter, err := bench.LoadAdapter("cartd")
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "cartbench-")
	if err != nil {
		return nil, err
	}
	s := &stand{cartd: cartd, self: self, dir: dir, adapter: adapter, systems: map[System]*system{}, store: filepath.Join(dir, "store.json"),
		sale: filepath.Join(dir, "sale.json")}
	err = errors.Join(os.WriteFile(s.store, bench.StoreDocument(0), 0o600), os.WriteFile(s.sale, bench.SaleDocument(0, bench.PayMinutes, true), 0o600))
	if err != nil {
		s.end()
	}
	return s, err
}

// end ends every process, first the servers, then their Redis, and removes the directory.
func (s *stand) end() {
	for _, stop := range slices.Backward(s.stops) {
		stop()
	}
	os.RemoveAll(s.dir)
}

// get returns a system. It starts the system at the first call.
func (s *stand) get(ctx context.Context, name System) (*system, error) {
	if running := s.systems[name]; running != nil {
		return running, nil
	}
	var started *system
	var err error
	switch name {
	case floorSystem:
		started, err = s.startFloor(ctx)
	case alwaysSystem:
		started, err = s.startCartd(always)
	default:
		started, err = s.startCartd(everysec)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	s.systems[name] = started
	return started, nil
}

var (
	everysec = []string{"--appendonly", "yes", "--appendfsync", "everysec"}
	always   = []string{"--appendonly", "yes", "--appendfsync", "always"}
)

// newRedis starts a Redis in a directory of its own. Rewrites of the append-only file are
// off: they would fall on one side of a pair.
func (s *stand) newRedis(args ...string) (*process.Redis, error) {
	dir := filepath.Join(s.dir, "redis-"+strconv.Itoa(len(s.stops)))
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, err
	}
	r := process.NewRedis(dir, append([]string{"--auto-aof-rewrite-percentage", "0"}, args...)...)
	if err := r.Start(); err != nil {
		return nil, err
	}
	s.stops = append(s.stops, r.Stop)
	return r, nil
}

// serve starts a server on a Redis and waits until it logs its listen address.
func (s *stand) serve(redis *process.Redis, program string, args ...string) (*system, error) {
	p, err := process.Start(exec.Command(program, append(args, "--listen", "127.0.0.1:0", "--redis", redis.URL())...))
	if err != nil {
		return nil, err
	}
	s.stops = append(s.stops, p.Stop)
	addr, err := p.Address()
	return &system{target: "http://" + addr, redis: redis.Addr, processes: bench.Processes{Server: []int{p.ID()}, Redis: []int{redis.ID()}}}, err
}

// startCartd starts cartd on a Redis of its own.
func (s *stand) startCartd(redisArgs []string, flags ...string) (*system, error) {
	redis, err := s.newRedis(redisArgs...)
	if err != nil {
		return nil, err
	}
	return s.serve(redis, s.cartd, append([]string{"serve", "--store", s.store, "--store", s.sale}, flags...)...)
}

// startFloor starts the floor with cartd's answers and record sizes.
func (s *stand) startFloor(ctx context.Context) (*system, error) {
	file, err := s.floorAnswers(ctx)
	if err != nil {
		return nil, err
	}
	redis, err := s.newRedis(everysec...)
	if err != nil {
		return nil, err
	}
	started, err := s.serve(redis, s.self, "floor", "--answers", file)
	if err != nil {
		return nil, err
	}
	started.unjudged = true
	return started, nil
}

// floorAnswers gets an answer of each kind from cartd and the sizes of their records from its Redis,
// and writes them to a file.
func (s *stand) floorAnswers(ctx context.Context) (string, error) {
	cartd, err := s.get(ctx, cartdSystem)
	if err != nil {
		return "", err
	}
	if s.samples, err = bench.TakeSamples(ctx, cartd.target, s.adapter, 1); err != nil {
		return "", err
	}
	sizes := map[string]int{}
	store := "{" + bench.StoreID(0) + "}"
	for kind, key := range map[string]string{
		"empty": store + ":cart:" + s.samples.Empty, "cart": store + ":cart:" + s.samples.Full, "book": store + ":contact:" + s.samples.Customer,
	} {
		reply, err := process.AskRedis(cartd.redis, "STRLEN", key)
		if err != nil {
			return "", err
		}
		if sizes[kind], err = strconv.Atoi(reply); err != nil || sizes[kind] == 0 {
			return "", fmt.Errorf("the size of %s is %q", key, reply)
		}
	}
	text, err := json.MarshalIndent(answersOf(s.samples, sizes), "", " ")
	if err != nil {
		return "", err
	}
	file := filepath.Join(s.dir, "floor.json")
	return file, os.WriteFile(file, text, 0o600)
}

// answersOf makes the floor's answers from samples.
func answersOf(samples *bench.Samples, sizes map[string]int) (answers []floor.Answer) {
	for _, sample := range samples.List {
		size := sizes["cart"]
		switch {
		case sample.Creates:
			size = sizes["empty"]
		case sample.Spec.Headers["X-Customer-Token"] != "":
			size = sizes["book"]
		}
		answers = append(answers, floor.Answer{
			Method: sample.Spec.Method, Path: sample.Spec.Path, Status: sample.Spec.Status, Body: sample.Body, Creates: sample.Creates, Record: size,
		})
	}
	return answers
}
