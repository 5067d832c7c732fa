package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
)

// crews are the processes of clients.
type crews struct {
	out       chan crewEvent // clients that were signed out
	done      chan crewEvent // figures of processes that ended
	processes []*crewProcess
}

type crewProcess struct {
	cmd *exec.Cmd
	in  io.Closer
}

func (s *stage) startCrews(ctx context.Context, file string) (*crews, error) {
	all := &crews{out: make(chan crewEvent, s.clients), done: make(chan crewEvent, s.processes)}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	for n := range s.processes {
		first, last := n*s.clients/s.processes, (n+1)*s.clients/s.processes
		cmd := exec.CommandContext(ctx, self, "clients")
		cmd.Stderr = os.Stderr
		cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
		in, err := cmd.StdinPipe()
		if err != nil {
			return nil, err
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			return nil, err
		}
		if err := cmd.Start(); err != nil {
			return nil, fmt.Errorf("start clients: %w", err)
		}
		all.processes = append(all.processes, &crewProcess{cmd, in})
		if err := json.NewEncoder(in).Encode(&crew{Issuer: s.wire.URL, File: file, Seed: s.seed, First: first, Count: last - first}); err != nil {
			return nil, err
		}
		go func() {
			for lines := bufio.NewScanner(out); lines.Scan(); {
				var e crewEvent
				switch {
				case json.Unmarshal(lines.Bytes(), &e) != nil:
				case e.Out != "":
					all.out <- e
				default:
					all.done <- e
				}
			}
		}()
	}
	return all, nil
}

// end lets the clients stop and adds their figures.
func (c *crews) end() (total crewEvent, err error) {
	for _, p := range c.processes {
		err = errors.Join(err, p.in.Close())
	}
	for range c.processes {
		one := <-c.done
		total.Refreshed += one.Refreshed
		total.Called += one.Called
		total.Retried += one.Retried
	}
	for _, p := range c.processes {
		err = errors.Join(err, p.cmd.Wait())
	}
	return total, err
}
