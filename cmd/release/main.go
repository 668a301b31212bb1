// Command release builds what is given out of a version, into a directory. It is
// no part of what it builds. make release runs it.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/release"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	version := flag.String("version", "", "version that is built, such as 0.1.0; by default what git describe says")
	commit := flag.String("commit", "", "commit that is built, for a tree without git; SOURCE_DATE_EPOCH says of when it is")
	out := flag.String("out", "dist", "directory to write to")
	only := flag.String("targets", "", "systems, separated by commas, such as linux/amd64; by default all")
	sdks := flag.String("sdks", "", "directory with the SDKs that scripts/build-sdks built; by default no SDK is given out")
	flag.Parse()
	targets, err := chosen(*only)
	if err != nil {
		return err
	}
	r := release.Release{Source: ".", Out: *out, Version: *version, Commit: *commit, SDKs: *sdks}
	if err := ofCommit(&r); err != nil {
		return err
	}
	return r.Make(ctx, targets)
}

func chosen(only string) (targets []release.Target, err error) {
	if only == "" {
		return release.Targets, nil
	}
	for name := range strings.SplitSeq(only, ",") {
		t, err := release.ParseTarget(name)
		if err != nil {
			return nil, err
		}
		targets = append(targets, t)
	}
	return targets, nil
}

// ofCommit fills in what git knows of the tree.
func ofCommit(r *release.Release) (err error) {
	if r.Commit == "" {
		if r.Commit, err = git("describe", "--always", "--abbrev=12", "--exclude=*", "--dirty"); err != nil {
			return err
		}
	}
	if strings.HasSuffix(r.Commit, "-dirty") {
		fmt.Fprintln(os.Stderr, "release: warning: the tree has changes that are in no commit: nobody else can build these bytes")
	}
	if r.Version == "" {
		if r.Version, err = git("describe", "--tags", "--always", "--dirty"); err != nil {
			return err
		}
	}
	r.Version = strings.TrimPrefix(r.Version, "v")
	seconds := os.Getenv("SOURCE_DATE_EPOCH")
	if seconds == "" {
		if seconds, err = git("log", "-1", "--format=%ct"); err != nil {
			return err
		}
	}
	at, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return fmt.Errorf("SOURCE_DATE_EPOCH is %q: expected seconds since 1970", seconds)
	}
	r.Time = time.Unix(at, 0)
	return nil
}

func git(args ...string) (string, error) {
	out, err := exec.Command("git", args...).Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out)), nil
}
