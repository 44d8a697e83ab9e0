package bench

import (
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// The time of a process is also that of the processes that it started: of a running one, and of one that has ended.
func TestProcessorTimeOfATree(t *testing.T) {
	const works = `i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done`
	for name, script := range map[string]string{
		"running": `sh -c 'while :; do :; done' & echo; wait`, "ended": `sh -c '` + works + `'; echo; exec sleep 60`,
	} {
		cmd := exec.Command("sh", "-c", script)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := out.Read(make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
		pid := cmd.Process.Pid
		var tree, own time.Duration
		for end := time.Now().Add(20 * time.Second); tree < 30*time.Millisecond && time.Now().Before(end); {
			tree, own = cpuTimes([]int{pid, pid}), CPUTime(pid)
		}
		if tree < 30*time.Millisecond || own > tree/2 {
			t.Errorf("%s: the tree has used %v, the process itself %v", name, tree, own)
		}
		_ = syscall.Kill(-pid, syscall.SIGKILL)
		_ = cmd.Wait()
	}
}
