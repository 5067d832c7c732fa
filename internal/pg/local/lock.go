package local

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// holder is what the process that holds the lock writes into the lock file, for
// a second process to read.
type holder struct {
	PID int `json:"pid"`

	// Passing is true when the holder runs the database for one command and
	// lets go of it by itself, so that waiting for it makes sense.
	Passing bool `json:"passing,omitempty"`

	// SocketDir is the folder of the socket, once there is one.
	SocketDir string `json:"socket_dir,omitempty"`

	// Ready is true once the roles exist, and stays so during a crash.
	Ready bool `json:"ready,omitempty"`
}

// inUseError reports the process that holds the lock.
type inUseError struct {
	dir    string
	holder holder
}

func (e *inUseError) Error() string {
	if e.holder.PID == 0 {
		return fmt.Sprintf("the data folder %s is %s by another process", e.dir, ErrInUse)
	}
	return fmt.Sprintf("the data folder %s is %s by process %d", e.dir, ErrInUse, e.holder.PID)
}

func (e *inUseError) Unwrap() error { return ErrInUse }

// folderLock is the exclusive right to run the database of a data folder. The
// operating system takes it back when the process dies, however it dies; the
// file itself stays.
type folderLock struct {
	file   *os.File
	holder holder

	// previous is what an earlier holder left behind because it died before it
	// could release the lock. It is empty after a clean end.
	previous holder
}

// lockFolder takes the lock of the data folder or fails with an *inUseError.
func lockFolder(dir string, passing bool) (_ *folderLock, err error) {
	path := filepath.Join(dir, "postgres.lock")
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock the data folder: %w", err)
	}
	defer func() {
		if err != nil {
			_ = file.Close()
		}
	}()
	if err := tryLock(file); errors.Is(err, errLocked) {
		h, _ := readHolder(file) // half-written: the holder stays unknown
		return nil, &inUseError{dir: dir, holder: h}
	} else if err != nil {
		return nil, fmt.Errorf("lock the data folder: %w", err)
	}
	// A command run once as root must not leave a file behind that the owner of
	// the data folder cannot open.
	if err := giveToOwnerOf(dir, file); err != nil {
		return nil, fmt.Errorf("lock the data folder: %w", err)
	}
	l := &folderLock{file: file, holder: holder{PID: os.Getpid(), Passing: passing}}
	l.previous, _ = readHolder(file)
	if err := l.write(); err != nil {
		return nil, err
	}
	return l, nil
}

// announce tells other processes where the socket is, and whether they may use
// it already.
func (l *folderLock) announce(socketDir string, ready bool) error {
	l.holder.SocketDir, l.holder.Ready = socketDir, ready
	return l.write()
}

func (l *folderLock) write() error {
	raw, err := json.Marshal(l.holder)
	if err != nil {
		return fmt.Errorf("write the lock file: %w", err)
	}
	if err := l.file.Truncate(0); err != nil {
		return fmt.Errorf("write the lock file: %w", err)
	}
	if _, err := l.file.WriteAt(raw, 0); err != nil {
		return fmt.Errorf("write the lock file: %w", err)
	}
	return nil
}

// release empties the file, which marks a clean end, and gives up the lock.
func (l *folderLock) release() error {
	return errors.Join(l.file.Truncate(0), l.file.Close())
}

// readHolder reads the holder from a lock file. It fails on an empty file and
// on one that is being written.
func readHolder(file *os.File) (holder, error) {
	raw, err := io.ReadAll(io.NewSectionReader(file, 0, 4096))
	if err != nil {
		return holder{}, err
	}
	var h holder
	if err := json.Unmarshal(raw, &h); err != nil {
		return holder{}, err
	}
	return h, nil
}
