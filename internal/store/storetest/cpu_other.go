//go:build !unix

package storetest

import "time"

func processorTime() time.Duration { return 0 }
