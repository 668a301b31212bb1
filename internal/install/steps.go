package install

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
)

// command is a step that another program does.
func command(name string, args ...string) Step {
	return Step{name + " " + strings.Join(args, " "), func() error {
		out, err := exec.Command(name, args...).CombinedOutput()
		if err != nil {
			return fmt.Errorf("%w: %s", err, bytes.TrimSpace(out))
		}
		return nil
	}}
}

func userExists(name string) bool {
	_, err := user.Lookup(name)
	return err == nil
}

// ids are the numbers of the service's user, once there is one.
func ids() (uid, gid int, err error) {
	u, err := user.Lookup(User)
	if err != nil {
		return 0, 0, err
	}
	if uid, err = strconv.Atoi(u.Uid); err != nil {
		return 0, 0, err
	}
	gid, err = strconv.Atoi(u.Gid)
	return uid, gid, err
}

// copyProgram puts the program in its place at once: one that runs from there
// goes on with what it was started from.
func copyProgram(source, target string) error {
	from, err := os.Open(source)
	if err != nil {
		return err
	}
	defer from.Close()
	return replaceFrom(target, from, 0o755, nil)
}

func replace(target string, content []byte, mode os.FileMode) error {
	return replaceFrom(target, bytes.NewReader(content), mode, nil)
}

// replaceFrom puts a file in its place once it is whole and own, if there is one, has
// given it to its owner: what is found there is never half done.
func replaceFrom(target string, content io.Reader, mode os.FileMode, own func(path string) error) error {
	dir := filepath.Dir(target)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(dir, "."+filepath.Base(target)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	defer tmp.Close()
	if _, err := io.Copy(tmp, content); err != nil {
		return err
	}
	if err := tmp.Chmod(mode); err != nil {
		return err
	}
	if err := tmp.Sync(); err != nil {
		return err
	}
	if own != nil {
		if err := own(tmp.Name()); err != nil {
			return err
		}
	}
	return os.Rename(tmp.Name(), target)
}

// writeSettings lets the service's group read them, for commands that are run as
// its user, and nobody else: they hold passwords.
func writeSettings(file string) error {
	return replaceFrom(file, bytes.NewReader(SettingsText()), 0o640, func(path string) error {
		_, gid, err := ids()
		if err != nil {
			return err
		}
		return os.Chown(path, 0, gid)
	})
}

func makeData(dir string) error {
	return makeOwned(dir, func(path string) error {
		uid, gid, err := ids()
		if err != nil {
			return err
		}
		return os.Chown(path, uid, gid)
	})
}

// makeOwned makes a directory that has its owner from the first moment on: an install
// that fails here finds nothing the next time, and makes it again.
func makeOwned(dir string, own func(path string) error) error {
	above := filepath.Dir(dir)
	if err := os.MkdirAll(above, 0o755); err != nil {
		return err
	}
	made, err := os.MkdirTemp(above, "."+filepath.Base(dir)+".*") // 0700
	if err != nil {
		return err
	}
	defer os.Remove(made) // where it could not be put in its place
	if err := own(made); err != nil {
		return err
	}
	return os.Rename(made, dir)
}
