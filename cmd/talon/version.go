package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

type versionCommand struct{}

// Run prints the module's version, the revision when the build knows it, and the Go version.
func (versionCommand) Run(s streams) error {
	version, revision := "unknown", ""
	if build, ok := debug.ReadBuildInfo(); ok {
		version = build.Main.Version
		for _, setting := range build.Settings {
			if setting.Key == "vcs.revision" {
				revision = " " + setting.Value
			}
		}
	}
	_, err := fmt.Fprintf(s.out, "talon %s%s %s %s/%s\n", version, revision, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}
