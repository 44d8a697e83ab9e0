package suite

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"cartd/bench"
)

// flashLoops are the loads of a flash sale, each on a store of its own.
var flashLoops = []string{"closed", "open"}

// FlashConfig has the settings of a flash sale on two nodes of cartd with one Redis.
type FlashConfig struct {
	Cartd string          // the program
	Plan  bench.FlashPlan // without target, adapter, keys and processes; Within is that of the open loop
	Nodes int
}

// Flash starts a Redis and nodes, and sells the units of one store in a closed loop and those of
// another in an open loop.
func Flash(ctx context.Context, c FlashConfig, d *bench.Document) error {
	s, err := newStand(c.Cartd, "")
	if err != nil {
		return err
	}
	defer s.end()
	if err := c.Plan.Check(); err != nil {
		return err
	}
	nodes, err := s.startNodes(c)
	if err != nil {
		return err
	}
	for i, loop := range flashLoops {
		plan := c.Plan
		plan.Case, plan.System = "flash "+loop, string(cartdSystem)
		plan.Target, plan.Adapter, plan.Key, plan.Admin, plan.Processes = nodes.target, s.adapter, bench.FlashKey(i), bench.FlashAdmin(i), nodes.processes
		if loop == "closed" {
			plan.Within = 0
		}
		result, err := bench.RunFlash(ctx, plan)
		if result != nil {
			d.Results = append(d.Results, *result)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// startNodes starts nodes of cartd on one Redis, with a store for each loop.
func (s *stand) startNodes(c FlashConfig) (*system, error) {
	args := []string{"serve"}
	for i, loop := range flashLoops {
		file := filepath.Join(s.dir, "flash-"+loop+".json")
		if err := os.WriteFile(file, bench.FlashDocument(i, c.Plan.Units, c.Plan.Uses), 0o600); err != nil {
			return nil, err
		}
		args = append(args, "--store", file)
	}
	if c.Nodes < 1 {
		return nil, errors.New("at least one node is needed")
	}
	redis, err := s.newRedis(everysec...)
	if err != nil {
		return nil, err
	}
	all := &system{redis: redis.Addr, processes: bench.Processes{Redis: []int{redis.ID()}}}
	var targets []string
	for range c.Nodes {
		node, err := s.serve(redis, s.cartd, args...)
		if err != nil {
			return nil, err
		}
		targets = append(targets, node.target)
		all.processes.Server = append(all.processes.Server, node.processes.Server...)
	}
	all.target = strings.Join(targets, ",")
	return all, nil
}
