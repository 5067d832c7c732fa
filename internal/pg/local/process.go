package local

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"runtime"
	"time"
)

// How long each way of ending PostgreSQL may take before the next one is tried.
const (
	fastLimit      = 30 * time.Second
	immediateLimit = 5 * time.Second
)

// drainLimit bounds the wait for processes that outlive a killed PostgreSQL:
// they hold its shared memory, and a new one cannot start before they are gone.
const drainLimit = 10 * time.Second

// errForced means that PostgreSQL was ended without a checkpoint. Nothing
// committed is lost; the next start replays its log.
var errForced = errors.New("PostgreSQL did not stop in time and was ended by force")

// process is a child of ours.
type process struct {
	cmd    *exec.Cmd
	output *output

	// exited is closed when the process has ended, and its own children with it
	// or the drain limit is over; err is how it ended.
	exited chan struct{}
	err    error
}

// startProcess starts a command. Its standard error goes to the log.
func startProcess(cmd *exec.Cmd, log *slog.Logger) (*process, error) {
	p := &process{cmd: cmd, output: &output{log: log}, exited: make(chan struct{})}
	cmd.Stderr = p.output
	// The children of PostgreSQL inherit its standard error, so that its end is
	// the event that the last of them is gone.
	cmd.WaitDelay = drainLimit
	started := make(chan error)
	go func() {
		// The kernel ties the signal for the death of the parent to the thread
		// that started the child: keep it for as long as the child lives.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		defer close(p.exited)
		err := cmd.Start()
		started <- err
		if err == nil {
			p.err = cmd.Wait()
		}
	}()
	if err := <-started; err != nil {
		<-p.exited
		return nil, fmt.Errorf("start %s: %w", cmd.Path, err)
	}
	return p, nil
}

func (p *process) pid() int { return p.cmd.Process.Pid }

// failure says how the process ended, with the last it said.
func (p *process) failure() error {
	<-p.exited
	if p.err == nil {
		return nil
	}
	if last := p.output.last(); last != "" {
		return fmt.Errorf("%w: %s", p.err, last)
	}
	return p.err
}

// end stops the process like the function end.
func (p *process) end(hurry <-chan struct{}) error {
	return end(p.cmd.Process.Signal, p.exited, hurry)
}

// end stops a PostgreSQL and waits until it is gone: politely at first, without
// a checkpoint when that takes too long or hurry is closed, and at last by
// killing it. It fails with errForced when the polite way was not enough.
func end(signal func(os.Signal) error, gone, hurry <-chan struct{}) error {
	steps := []struct {
		signal os.Signal
		limit  time.Duration
	}{
		{fastShutdown, fastLimit},
		{immediateShutdown, immediateLimit},
	}
	for i, step := range steps {
		if err := send(signal, step.signal); err != nil {
			return err
		}
		limit := time.NewTimer(step.limit)
		select {
		case <-gone:
			limit.Stop()
			if i > 0 {
				return errForced
			}
			return nil
		case <-hurry:
			hurry = nil
		case <-limit.C:
		}
		limit.Stop()
	}
	if err := send(signal, os.Kill); err != nil {
		return err
	}
	<-gone
	return errForced
}

// send sends a signal; a process that is gone already is no error.
func send(signal func(os.Signal) error, s os.Signal) error {
	if err := signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("signal PostgreSQL: %w", err)
	}
	return nil
}
