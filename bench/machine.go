package bench

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// Machine is the machine and the software of a measurement.
type Machine struct {
	CPU       string            `json:"cpu"`
	Cores     int               `json:"cores"`
	Memory    string            `json:"memory"`
	Kernel    string            `json:"kernel"`
	Go        string            `json:"go"`
	Commit    string            `json:"commit"`
	Versions  map[string]string `json:"versions"` // of servers
	Command   []string          `json:"command"`
	LoadStart string            `json:"load_average_at_start"`
}

// ThisMachine describes the machine that the harness runs on. commit is the harness's commit.
func ThisMachine(commit string) Machine {
	load := firstLine("/proc/loadavg", "")
	if fields := strings.Fields(load); len(fields) > 3 {
		load = strings.Join(fields[:3], " ")
	}
	return Machine{
		CPU: firstLine("/proc/cpuinfo", "model name"), Cores: runtime.NumCPU(), Memory: firstLine("/proc/meminfo", "MemTotal"),
		Kernel: firstLine("/proc/sys/kernel/osrelease", ""), Go: runtime.Version(), Commit: commit,
		Versions: map[string]string{}, Command: os.Args, LoadStart: load,
	}
}

// firstLine returns the first line of a file. If name is given, it returns the value of the first
// line "name: value".
func firstLine(file, name string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if name == "" {
			return strings.TrimSpace(line)
		}
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// Version returns the first line that a program prints.
func Version(program string, args ...string) string {
	output, err := exec.Command(program, args...).Output()
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(output), "\n")
	return strings.TrimSpace(line)
}
