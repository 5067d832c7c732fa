package local

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"
)

// claimLimit bounds the wait for another process that is just starting,
// stopping, or running the database for one command.
const claimLimit = 30 * time.Second

// claimInterval is how often such a process is looked at.
const claimInterval = 20 * time.Millisecond

// Start runs the database of a data folder, creating it when it is new, until
// Stop is called. It returns when the server takes queries and both roles
// exist; ctx bounds the start alone. It fails with ErrInUse when another
// process runs the database, but waits up to 30 seconds for one that does so
// only for a single command (see StartOrAttach).
func Start(ctx context.Context, o Options) (*Server, error) {
	o, err := o.complete()
	if err != nil {
		return nil, err
	}
	var lock *folderLock
	err = claim(ctx, func(context.Context) (passing bool, err error) {
		lock, err = lockFolder(o.DataDir, false)
		var used *inUseError
		return errors.As(err, &used) && (used.holder.Passing || !alive(used.holder.PID)), err
	})
	if err != nil {
		return nil, err
	}
	return run(ctx, o, lock)
}

// StartOrAttach is for a single command: it uses the server that another
// process of ours runs on the data folder by Start, or runs one itself until
// Stop is called. It waits up to 30 seconds for a server that is just starting
// or stopping and for another command, and fails with ErrInUse after that.
func StartOrAttach(ctx context.Context, o Options) (*Server, error) {
	o, err := o.complete()
	if err != nil {
		return nil, err
	}
	var lock *folderLock
	var attached *Server
	err = claim(ctx, func(ctx context.Context) (passing bool, err error) {
		lock, err = lockFolder(o.DataDir, true)
		var used *inUseError
		if !errors.As(err, &used) {
			return false, err
		}
		// Another command would take the server with it when it ends.
		if !used.holder.Passing && used.holder.answers(ctx) {
			attached = attach(used.holder.SocketDir)
			return false, nil
		}
		return true, err
	})
	if err != nil {
		return nil, err
	}
	if attached != nil {
		return attached, nil
	}
	return run(ctx, o, lock)
}

// claim repeats try while its error is a passing one. When the time is over it
// returns the last error.
func claim(ctx context.Context, try func(context.Context) (passing bool, err error)) error {
	ctx, cancel := context.WithTimeout(ctx, claimLimit)
	defer cancel()
	var last error
	err := poll(ctx, claimInterval, func() (bool, error) {
		passing, err := try(ctx)
		if passing {
			last = err
			return false, nil
		}
		return true, err
	})
	if err != nil && last != nil && errors.Is(err, ctx.Err()) {
		return fmt.Errorf("%w (%w)", last, err)
	}
	return err
}

// answers reports whether the server of the holder takes queries. The lock file
// may come from a holder that was killed, when the new one has not written it
// yet; then its process is gone.
func (h holder) answers(ctx context.Context) bool {
	return h.Ready && alive(h.PID) && ping(ctx, h.SocketDir) == nil
}

// attach describes a server that another process runs.
func attach(socketDir string) *Server {
	s := &Server{socketDir: socketDir, hurry: make(chan struct{}), done: make(chan struct{})}
	var stopping context.Context
	stopping, s.stop = context.WithCancel(context.Background())
	context.AfterFunc(stopping, func() { close(s.done) })
	return s
}

// run starts the server of a data folder whose lock is held.
func run(ctx context.Context, o Options, lock *folderLock) (_ *Server, err error) {
	s := &Server{
		log:     o.Logger,
		cluster: cluster{dir: filepath.Join(o.DataDir, "postgres")},
		lock:    lock,
		hurry:   make(chan struct{}),
		done:    make(chan struct{}),
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.release())
		}
	}()
	began := time.Now()
	if err := s.prepare(ctx, o); err != nil {
		return nil, err
	}
	p, err := s.launch(ctx)
	if err != nil {
		return nil, err
	}
	err = createRoles(ctx, s.socketDir)
	if err == nil {
		err = s.lock.announce(s.socketDir, true)
	}
	if err != nil {
		return nil, errors.Join(err, ignoreForced(p.end(s.hurry)))
	}
	s.log.Info("PostgreSQL runs", "pid", p.pid(), "version", s.programs.major, "folder", s.cluster.dir, "took", time.Since(began))
	if old := s.lock.previous.SocketDir; old != "" {
		if err := removeSocketDir(old); err != nil {
			s.log.Warn("the socket folder of an earlier process stays behind", "folder", old, "error", err)
		}
	}
	var stopping context.Context
	stopping, s.stop = context.WithCancel(context.Background())
	go s.supervise(stopping, p)
	return s, nil
}

// prepare makes everything the server needs before it can be launched.
func (s *Server) prepare(ctx context.Context, o Options) error {
	var err error
	if s.account, err = chooseAccount(o.DataDir, s.cluster); err != nil {
		return err
	}
	major, err := s.cluster.version()
	missing := errors.Is(err, fs.ErrNotExist)
	if err != nil && !missing {
		return err
	}
	if s.programs, err = usualPlaces(o).find(ctx, major); err != nil {
		return err
	}
	if missing {
		err = s.cluster.create(ctx, s.programs, s.account, s.log)
	} else {
		err = s.cluster.secure(s.account, s.log)
	}
	if err != nil {
		return err
	}
	if s.socketDir, err = createSocketDir(s.account); err != nil {
		return err
	}
	// Now, so that the next start finds the folder if this one is cut short.
	return s.lock.announce(s.socketDir, false)
}
