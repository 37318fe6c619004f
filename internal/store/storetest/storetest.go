// Package storetest proves that an engine keeps the contract of package store.
//
// Its one promise: every sentence of the contract has a test named after it, which fails when the
// sentence is broken; deliberately broken twins of the engine show that it does.
package storetest

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/talonlottery/talon/internal/store"
)

// T is what a test of the suite needs of *testing.T. A twin's tests run against another one, so that
// they can fail without failing whoever runs them.
type T interface {
	Helper()
	Context() context.Context
	Cleanup(func())
	TempDir() string
	Errorf(format string, arguments ...any)
	Fatalf(format string, arguments ...any)
}

// Test is one sentence of the contract.
type Test struct {
	Name string
	do   func(*world)
}

// Tests lists the whole suite.
func Tests() []Test {
	return slices.Concat(updateTests, viewTests, closeTests, saleTests, refusalTests, jackpotTests, blockTests, lifeTests, logTests, playerTests, showTests, readTests, recordTests)
}

// Run proves an engine. Open gives a new, empty store each time; the suite closes it.
func Run(t *testing.T, open func(T) store.Store) {
	for _, test := range Tests() {
		t.Run(test.Name, func(t *testing.T) {
			t.Parallel()
			test.on(t, open(t))
		})
	}
}

func (test Test) on(t T, s store.Store) {
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("closing: %v", err)
		}
	})
	test.do(newWorld(t, s))
}

// Failures runs one test against a store, on its own, and gives what it complained of.
func Failures(t T, name string, s store.Store) []string {
	for _, test := range Tests() {
		if test.Name == name {
			return Complaints(t, func(t T) { test.on(t, s) })
		}
	}
	t.Fatalf("there is no test %q", name)
	return nil
}

// Complaints runs a check and gives what it complained of, without failing.
func Complaints(t T, check func(T)) []string {
	log := &recorder{T: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer log.runCleanups()
		defer func() {
			if trouble := recover(); trouble != nil {
				log.Errorf("panic: %v", trouble)
			}
		}()
		check(log)
	}()
	<-done
	return log.complaints
}

// recorder keeps complaints instead of failing. Only the goroutine of its test uses it.
type recorder struct {
	T
	complaints []string
	cleanups   []func()
}

func (r *recorder) Cleanup(clean func()) { r.cleanups = append(r.cleanups, clean) }

func (r *recorder) Errorf(format string, arguments ...any) {
	r.complaints = append(r.complaints, fmt.Sprintf(format, arguments...))
}

func (r *recorder) Fatalf(format string, arguments ...any) {
	r.Errorf(format, arguments...)
	runtime.Goexit()
}

func (r *recorder) runCleanups() {
	for _, clean := range slices.Backward(r.cleanups) {
		clean()
	}
}

// named makes tests of one group: their names start with it.
func named(group string, tests ...Test) []Test {
	for at := range tests {
		tests[at].Name = group + "/" + strings.ReplaceAll(tests[at].Name, " ", "_")
	}
	return tests
}
