package bench

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Processes are those whose time and memory a run accounts for, by their ids.
type Processes struct {
	Server, Redis []int
}

// usage is what the machine has used up to a moment.
type usage struct {
	at                    time.Time
	client, server, redis time.Duration
	busy                  time.Duration // of all processors, by whomever
	succeeded             int64         // requests
}

func (p Processes) usage(succeeded int64) usage {
	return usage{
		at: time.Now(), client: CPUTime(os.Getpid()), server: cpuTimes(p.Server), redis: cpuTimes(p.Redis),
		busy: busyTime(), succeeded: succeeded,
	}
}

// since is the CPU a successful request between two moments. A process that ended in
// between is not measured.
func (u usage) since(before usage) CPU {
	client, server, redis := max(0, u.client-before.client), max(0, u.server-before.server), max(0, u.redis-before.redis)
	others := float64(u.busy-before.busy-client-server-redis) / float64(max(1, u.at.Sub(before.at)))
	c := CPU{Others: max(0, others)}
	if n := float64(u.succeeded - before.succeeded); n > 0 {
		c.Client, c.Server, c.Redis = float64(client)/microsecond/n, float64(server)/microsecond/n, float64(redis)/microsecond/n
	}
	return c
}

func (p Processes) memory() Memory {
	return Memory{Server: residents(p.Server), Redis: residents(p.Redis)}
}

func cpuTimes(pids []int) (sum time.Duration) {
	for _, pid := range pids {
		sum += CPUTime(pid)
	}
	return sum
}

// CPUTime is what all threads of a process have used, by the kernel's clock of the
// process: in nanoseconds, ended threads included. 0: the process is gone.
func CPUTime(pid int) time.Duration {
	const scheduled = 2 // CPUCLOCK_SCHED; see clock_getcpuclockid(3)
	var used unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|scheduled), &used); err != nil {
		return 0
	}
	return time.Duration(used.Nano())
}

// busyTime is how long the machine's processors have worked, in ticks of 10 ms.
func busyTime() time.Duration {
	stat, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0
	}
	line, _, _ := strings.Cut(string(stat), "\n")
	fields := strings.Fields(line)
	var ticks int64
	for i, field := range fields {
		// cpu user nice system idle iowait irq softirq; guest time is in user
		if i >= 1 && i <= 7 && i != 4 && i != 5 {
			n, _ := strconv.ParseInt(field, 10, 64)
			ticks += n
		}
	}
	const tick = 10 * time.Millisecond // on every Linux
	return time.Duration(ticks) * tick
}

func residents(pids []int) (sum int64) {
	for _, pid := range pids {
		sum += Resident(pid)
	}
	return sum
}

// Resident is the memory of a process that is in RAM, in bytes; 0: it is gone.
func Resident(pid int) int64 {
	statm, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(statm))
	if len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.ParseInt(fields[1], 10, 64)
	return pages * int64(os.Getpagesize())
}
