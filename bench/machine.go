package bench

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// Machine is where and by what a result was measured.
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

// ThisMachine looks at the machine; commit is the harness's.
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

// firstLine returns the first line of a file, or what stands behind the colon in the
// first that begins with name.
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

// Version asks a program for its version: the first line it prints.
func Version(program string, args ...string) string {
	output, err := exec.Command(program, args...).Output()
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(output), "\n")
	return strings.TrimSpace(line)
}
