package main

import (
	"debug/buildinfo"
	"net"
	"runtime"
)

// connections are how many each server may have to the database: as many as ours opens.
func connections() int { return max(8, 4*runtime.GOMAXPROCS(0)) }

func port(addr string) string {
	_, port, _ := net.SplitHostPort(addr)
	return port
}

// moduleVersion is the version of the module that a Go program was built from: of its main package or, where it was built
// inside another module, of the dependency that the package is in.
func moduleVersion(program string) string {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return "unknown"
	}
	for _, m := range append(info.Deps, &info.Main) {
		if m.Path == info.Path {
			return m.Version
		}
	}
	return "unknown"
}
