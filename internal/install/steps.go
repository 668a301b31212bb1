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
	return replaceFrom(target, from, 0o755)
}

func replace(target string, content []byte, mode os.FileMode) error {
	return replaceFrom(target, bytes.NewReader(content), mode)
}

func replaceFrom(target string, content io.Reader, mode os.FileMode) error {
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
	return os.Rename(tmp.Name(), target)
}

// writeSettings lets the service's group read them, for commands that are run as
// its user, and nobody else: they hold passwords.
func writeSettings(file string) error {
	_, gid, err := ids()
	if err != nil {
		return err
	}
	if err := replace(file, SettingsText(), 0o640); err != nil {
		return err
	}
	return os.Chown(file, 0, gid)
}

func makeData(dir string) error {
	uid, gid, err := ids()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return os.Chown(dir, uid, gid)
}
