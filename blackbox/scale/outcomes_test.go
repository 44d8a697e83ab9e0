//go:build long

package scale

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"cartd/blackbox"
	"cartd/internal/process"
	"cartd/internal/redistest"
)

var update = flag.Bool("update", false, "write the table of docs/scaling.md anew")

// threeIDs are ids of stores on one Redis.
var threeIDs = [stores]string{
	"10000000-0000-4000-8000-000000000001", "10000000-0000-4000-8000-000000000002", "10000000-0000-4000-8000-000000000003",
}

// The nodes and the Redis of a service come, go and die under load. No add is done twice, none is
// lost except where the row allows it, and no request fails where the row allows none.
func TestScaleOutcomes(t *testing.T) {
	var table strings.Builder
	table.WriteString("| service | disturbance | requests | failed | lost | longest pause |\n| --- | --- | --- | --- | --- | --- |\n")
	for _, stage := range stages {
		t.Run(stage.service, func(t *testing.T) { table.WriteString(stage.play(t)) })
	}
	fmt.Fprintf(&table, "\n%s, %s, %d CPUs that servers, nodes, router and %d buyers share.\n",
		version(t, process.ServerProgram(), `v=([0-9.]+)`, "Redis"), version(t, blackbox.HAProxy(), `version ([0-9.]+)`, "HAProxy"), runtime.NumCPU(), stores*buyers)
	t.Logf("\n%s", table.String())
	if !*update || t.Failed() {
		return
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	written := marked.ReplaceAll(text, []byte("${1}\n"+table.String()+"\n${3}"))
	if err := os.WriteFile(page, written, 0o644); err != nil {
		t.Fatal(err)
	}
}

// play starts a stage's service and runs its rows. It returns their lines of the table.
func (stage stage) play(t *testing.T) string {
	t.Helper()
	s, disturbances := stage.start(t)
	if len(disturbances) != len(stage.rows) {
		t.Fatalf("%d disturbances for %d rows", len(disturbances), len(stage.rows))
	}
	var lines strings.Builder
	for i, r := range stage.rows {
		d := disturbances[i]
		if d.before != nil {
			d.before()
		}
		if d.ready != nil {
			s.await("whole Redis", d.ready)
		}
		for j, tally := range r.split(s.run(d.do)) {
			line := label(stage.service, r.does+r.whose()[j]) + tally.String()
			t.Log(line)
			lines.WriteString(line + "\n")
			r.judge(t, r.does+r.whose()[j], tally, j == 0)
		}
	}
	return lines.String()
}

// split returns one tally, or that of the affected store and that of all others.
func (r row) split(all []tally) []tally {
	if r.affected == 0 {
		var sum tally
		for _, one := range all {
			sum = sum.plus(one)
		}
		return []tally{sum}
	}
	two := make([]tally, 2)
	for i, one := range all {
		whose := 1
		if i == r.affected-1 {
			whose = 0
		}
		two[whose] = two[whose].plus(one)
	}
	return two
}

// judge compares a tally with what the row allows to the stores that are affected, and to others.
func (r row) judge(t *testing.T, what string, got tally, affected bool) {
	t.Helper()
	if got.doubled > 0 {
		t.Errorf("%s: %d adds were done twice", what, got.doubled)
	}
	if got.lost > 0 && !(r.mayLose && affected) {
		t.Errorf("%s: %d answered adds are lost", what, got.lost)
	}
	if n := got.failures(); n > 0 && !(r.mayFail && affected) {
		t.Errorf("%s: %d requests failed: %v", what, n, got.failed)
	}
}

// disturbance is what happens in a row.
type disturbance struct {
	before func()      // without load; may be nil
	ready  func() bool // the state in which it may begin; may be nil
	do     func()
}

// start starts the service of a stage. Its disturbances are in the order of the rows.
func (stage stage) start(t *testing.T) (*service, []disturbance) {
	t.Helper()
	switch {
	case strings.HasPrefix(stage.service, "one Redis, sticky"):
		s := serve(t, redistest.Real(t, settings...).URL(), blackbox.Sticky, threeIDs)
		return s, s.nodesComeAndGo()
	case strings.HasPrefix(stage.service, "one Redis"):
		s := serve(t, redistest.Real(t, settings...).URL(), blackbox.InTurn, threeIDs)
		return s, s.nodesComeAndGo()
	case strings.HasPrefix(stage.service, "Sentinel"):
		w := watch(t)
		await(t, "whole Redis", w.ready)
		s := serve(t, w.url, blackbox.Sticky, threeIDs)
		return s, []disturbance{
			{ready: w.ready, do: func() { w.failover(s, false) }},
			{ready: w.ready, do: func() { w.failover(s, true) }},
			{ready: w.ready, do: func() { w.kill(s) }},
			{before: func() { s.upgrade("--redis-wait", "2") }, ready: w.ready, do: func() { w.kill(s) }},
		}
	default:
		c := newCluster(t)
		await(t, "whole Redis", c.ready)
		s := serve(t, c.url, blackbox.InTurn, c.ids())
		return s, []disturbance{
			{ready: c.ready, do: func() { c.failover(s, 1) }},
			{ready: c.ready, do: func() { c.failover(s, 1, "FORCE") }},
			{ready: c.ready, do: func() { c.reshard(s) }},
			{ready: c.ready, do: func() { c.kill(s, 2) }},
			{before: func() { s.upgrade("--redis-wait", "1") }, ready: c.ready, do: func() { c.kill(s, 2) }},
		}
	}
}

// nodesComeAndGo are the disturbances of nodeRows. After each the service has three nodes or more.
func (s *service) nodesComeAndGo() []disturbance {
	return []disturbance{
		{do: s.awaitAdds},
		{do: s.add},
		{do: s.drain},
		{do: func() { s.upgrade() }},
		{do: s.kill},
	}
}

// version is what a program says of its version.
func version(t *testing.T, program, pattern, name string) string {
	t.Helper()
	text, err := exec.Command(program, "-v").CombinedOutput()
	found := regexp.MustCompile(pattern).FindSubmatch(text)
	if err != nil || found == nil {
		t.Fatalf("%s -v: %v\n%s", program, err, text)
	}
	return name + " " + string(found[1])
}
