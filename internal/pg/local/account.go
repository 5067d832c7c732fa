package local

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
)

var errLocked = errors.New("locked")

// account is who PostgreSQL runs as: it refuses to run as root.
type account struct {
	uid, gid int

	// dropped is true when this process is root and the account another.
	dropped bool
}

// chooseAccount decides who runs the database of a data folder. An ordinary
// user runs it himself. Root gives it to whoever owns the cluster or the data
// folder already, so that both can use it in turn, then to the account of the
// distribution's package, then to nobody.
func chooseAccount(dataDir string, c cluster) (account, error) {
	self := account{uid: os.Geteuid(), gid: os.Getegid()}
	for _, dir := range []string{c.dir, dataDir} {
		info, err := os.Stat(dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return account{}, fmt.Errorf("find the owner of the cluster: %w", err)
		}
		uid, gid := ownerOf(info)
		switch {
		case self.uid == 0 && uid != 0 && (dir == c.dir || named(uid)):
			return account{uid: uid, gid: gid, dropped: true}, nil
		case self.uid != 0 && uid != self.uid && dir == c.dir:
			return account{}, fmt.Errorf("the database folder %s belongs to the account with id %d: run driftless as that account or change the owner of the folder", dir, uid)
		}
	}
	if self.uid != 0 {
		return self, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		found, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, uidErr := strconv.Atoi(found.Uid)
		gid, gidErr := strconv.Atoi(found.Gid)
		if err := errors.Join(uidErr, gidErr); err != nil {
			return account{}, fmt.Errorf("account %s: %w", name, err)
		}
		return account{uid: uid, gid: gid, dropped: true}, nil
	}
	return account{}, errors.New("PostgreSQL does not run as root and this system has neither an account postgres nor nobody: run driftless as an ordinary user")
}

// named reports whether an account has a name, without which PostgreSQL does
// not create a cluster.
func named(uid int) bool {
	_, err := user.LookupId(strconv.Itoa(uid))
	return err == nil
}

// own gives one file or folder to the account.
func (a account) own(path string) error {
	if !a.dropped {
		return nil
	}
	return os.Chown(path, a.uid, a.gid)
}

// reaches reports whether the folders above dir let the account pass. It knows
// mode bits only: where an access list says otherwise the answer is wrong, and
// PostgreSQL then says so itself.
func (a account) reaches(dir string) (bool, error) {
	if !a.dropped {
		return true, nil
	}
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return false, err
	}
	for parent := filepath.Dir(dir); ; parent = filepath.Dir(parent) {
		info, err := os.Stat(parent)
		if err != nil {
			return false, err
		}
		uid, gid := ownerOf(info)
		pass := fs.FileMode(0o001)
		switch {
		case uid == a.uid:
			pass = 0o100
		case gid == a.gid:
			pass = 0o010
		}
		if info.Mode()&pass == 0 {
			return false, nil
		}
		if parent == filepath.Dir(parent) {
			return true, nil
		}
	}
}

// giveToOwnerOf makes the owner of a folder the owner of a file in it.
func giveToOwnerOf(dir string, file *os.File) error {
	if os.Geteuid() != 0 {
		return nil
	}
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	return file.Chown(ownerOf(info))
}
