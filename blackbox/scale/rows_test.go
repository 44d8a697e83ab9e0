package scale

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// row is one disturbance of a service, and what it may do to requests.
type row struct {
	does string
	// mayFail: requests may fail meanwhile. Without it none may.
	mayFail bool
	// mayLose: an answered add may be lost, because replicas are asynchronous.
	mayLose bool
	// affected is the store that the disturbance concerns, counted from 1; 0 if it concerns all.
	// Requests of other stores may not fail.
	affected int
}

// stage is a service with the rows of its disturbances, in their order.
type stage struct {
	service string
	rows    []row
}

var nodeRows = []row{
	{does: "nothing"},
	{does: "a node is added: the router reloads its file"},
	{does: "a node is drained (SIGTERM)"},
	{does: "an upgrade: all nodes are replaced, one after another"},
	{does: "a node is killed (SIGKILL)", mayFail: true},
}

// stages is the plan of the table in docs/scaling.md.
var stages = []stage{
	{"one Redis, sticky router", nodeRows},
	{"one Redis, router in turn", nodeRows},
	{"Sentinel: 1 master, 2 replicas", []row{
		{does: "a planned failover, without a pause", mayFail: true, mayLose: true},
		{does: "a planned failover, with the pause", mayFail: true},
		{does: "the master is killed", mayFail: true, mayLose: true},
		{does: "the master is killed, nodes with `--redis-wait 2`", mayFail: true},
	}},
	{"Redis Cluster: 3 masters, 3 replicas", []row{
		{does: "a planned failover (`CLUSTER FAILOVER`, which pauses)", mayFail: true, affected: 2},
		{does: "a failover without a pause (`CLUSTER FAILOVER FORCE`)", mayFail: true, mayLose: true, affected: 2},
		{does: "200 slots are moved (`redis-cli --cluster reshard`)", mayFail: true, affected: 1},
		{does: "a master is killed", mayFail: true, mayLose: true, affected: 3},
		{does: "a master is killed, nodes with `--redis-wait 1`", mayFail: true, affected: 3},
	}},
}

// page is the document with the table.
const page = "../../docs/scaling.md"

// marked finds the text between the markers of the table.
var marked = regexp.MustCompile(`(?s)(<!-- begin outcomes[^\n]*-->\n)(.*)(<!-- end outcomes -->)`)

// The page has a row for each disturbance of the plan, in its order, and no other.
func TestThePageHasEveryRow(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	found := marked.FindSubmatch(text)
	if found == nil {
		t.Fatalf("%s has no markers of the table", page)
	}
	var want []string
	for _, s := range stages {
		for _, r := range s.rows {
			for _, whose := range r.whose() {
				want = append(want, label(s.service, r.does+whose))
			}
		}
	}
	var got []string
	for line := range strings.Lines(string(found[2])) {
		if cells := strings.SplitN(line, "|", 4); len(cells) == 4 && !strings.HasPrefix(cells[1], " ---") && cells[1] != " service " {
			got = append(got, strings.Join(cells[:3], "|")+"|")
		}
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("the table of %s has the rows\n%s\nwant\n%s\nmake test-scale writes it", page, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// label is the beginning of a line of the table.
func label(service, does string) string { return fmt.Sprintf("| %s | %s |", service, does) }

// whose tells the lines of a row apart: one of the concerned stores, one of the others.
func (r row) whose() []string {
	if r.affected == 0 {
		return []string{""}
	}
	return []string{": its store", ": the other stores"}
}
