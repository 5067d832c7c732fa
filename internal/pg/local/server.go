package local

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"
)

// A server that dies maxCrashes times in crashWindow is given up.
const (
	maxCrashes  = 5
	crashWindow = time.Minute
)

// startLimit bounds one start of PostgreSQL, with the replay of its log.
const startLimit = 2 * time.Minute

// Server is a running private PostgreSQL.
type Server struct {
	log       *slog.Logger
	cluster   cluster
	programs  programs
	account   account
	lock      *folderLock
	socketDir string

	stop      context.CancelFunc // asks for a clean stop
	hurry     chan struct{}      // closed: do not wait for a clean stop
	hurryOnce sync.Once

	done chan struct{}
	err  error // set before done is closed
}

// OwnerDSN is the address for migrations: the role owns the database.
func (s *Server) OwnerDSN() string { return dsn(s.socketDir, ownerRole, database) }

// AppDSN is the address for the application: the role owns nothing, is no
// superuser and is subject to row-level security.
func (s *Server) AppDSN() string { return dsn(s.socketDir, appRole, database) }

// Done is closed when the server has ended for good: after Stop, or when it
// crashed and could not be started again. A crash that could be mended breaks
// the connections, and new ones succeed after a moment. The end of a server
// that another process runs is not noticed.
func (s *Server) Done() <-chan struct{} { return s.done }

// Err says why the server ended: nil before Done is closed and after a clean
// stop.
func (s *Server) Err() error {
	select {
	case <-s.done:
		return s.err
	default:
		return nil
	}
}

// Stop ends the server and waits until it is gone. Clients are disconnected and
// a checkpoint is written; when ctx ends first, the server is ended without
// one, which loses nothing that was committed. Stop returns what Err says, and
// may be called more than once. On a server of another process it only lets go.
func (s *Server) Stop(ctx context.Context) error {
	s.stop()
	select {
	case <-s.done:
	case <-ctx.Done():
		s.hurryOnce.Do(func() { close(s.hurry) })
		<-s.done
	}
	return s.err
}

// supervise keeps the server running until stopping ends.
func (s *Server) supervise(stopping context.Context, p *process) {
	defer close(s.done)
	var crashes []time.Time
	for {
		select {
		case <-stopping.Done():
			s.err = errors.Join(p.end(s.hurry), s.release())
			return
		case <-p.exited:
		}
		now := time.Now()
		crashes = append(crashes, now)
		if len(crashes) > maxCrashes {
			crashes = crashes[1:]
		}
		if len(crashes) == maxCrashes && now.Sub(crashes[0]) < crashWindow {
			s.err = errors.Join(fmt.Errorf("PostgreSQL ended %d times in %s and is not started again: %w", maxCrashes, crashWindow, unexpected(p)), s.release())
			return
		}
		s.log.Error("PostgreSQL ended unexpectedly, starting it again", "error", unexpected(p))
		next, err := s.launch(stopping)
		if err != nil {
			if stopping.Err() != nil {
				err = nil
			}
			s.err = errors.Join(err, s.release())
			return
		}
		s.log.Info("PostgreSQL runs again", "pid", next.pid(), "took", time.Since(now))
		p = next
	}
}

// unexpected says how a server ended that nobody stopped.
func unexpected(p *process) error {
	if err := p.failure(); err != nil {
		return err
	}
	return errors.New("it was stopped from outside")
}

// launch starts PostgreSQL on the cluster and waits until it takes queries.
func (s *Server) launch(ctx context.Context) (*process, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, startLimit, fmt.Errorf("PostgreSQL was not ready within %s", startLimit))
	defer cancel()
	if err := s.cluster.vacate(ctx, s.log); err != nil {
		return nil, err
	}
	var ready *process
	err := poll(ctx, 100*time.Millisecond, func() (bool, error) {
		if err := clearSocketDir(s.socketDir); err != nil {
			return false, err
		}
		p, err := s.cluster.start(s.account, s.log, s.programs.postgres(), s.settings()...)
		if err != nil {
			return false, err
		}
		if err := s.awaitReady(ctx, p); err != nil {
			// Sessions of a server that was killed live for a moment longer.
			if strings.Contains(p.output.last(), "is still in use") {
				return false, nil
			}
			return false, fmt.Errorf("start PostgreSQL: %w", err)
		}
		ready = p
		return true, nil
	})
	if err != nil {
		return nil, err
	}
	return ready, nil
}

// settings are given on the command line, so that the files in the cluster stay
// as PostgreSQL made them and a new release of ours can change its mind.
func (s *Server) settings() []string {
	settings := []string{
		"listen_addresses=",
		"unix_socket_directories=" + s.socketDir,
		"unix_socket_permissions=0700",
		fmt.Sprintf("port=%d", port),
		"max_connections=60",
		"shared_buffers=64MB",
		"max_wal_size=1GB", // the default follows the small segments and is 256 MB
		"jit=off",
		"timezone=UTC",
		"log_timezone=UTC",
		"lc_messages=C", // one message is recognised by its text
		"log_destination=stderr",
		"logging_collector=off",
		"log_line_prefix=",
		// Clients hear of their own errors. In the log they would show values
		// that people entered.
		"log_min_messages=log",
		"log_min_error_statement=panic",
		"log_error_verbosity=terse",
	}
	var args []string
	for _, setting := range settings {
		args = append(args, "-c", setting)
	}
	return args
}

// awaitReady waits until the pid file says that our child takes queries. A
// successful connection would prove less: it may reach an orphan. On failure
// the child is gone.
func (s *Server) awaitReady(ctx context.Context, p *process) error {
	err := poll(ctx, 5*time.Millisecond, func() (bool, error) {
		select {
		case <-p.exited:
			return false, unexpected(p)
		default:
		}
		file, err := s.cluster.pidFile()
		return err == nil && file.pid == p.pid() && file.ready, nil
	})
	if ctx.Err() != nil {
		return errors.Join(context.Cause(ctx), ignoreForced(p.end(ctx.Done())))
	}
	return err
}

// release gives up what the server held besides the process.
func (s *Server) release() error {
	var err error
	if s.socketDir != "" {
		err = removeSocketDir(s.socketDir)
	}
	return errors.Join(err, s.lock.release())
}

func ignoreForced(err error) error {
	if errors.Is(err, errForced) {
		return nil
	}
	return err
}
