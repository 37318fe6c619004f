//go:build !linux

package serve

import (
	"net"

	"github.com/talonlottery/talon/fault"
)

// peerUser refuses everybody: on this system it is not known who asks.
func peerUser(net.Conn) (int, error) {
	return -1, fault.New(fault.Refused, "peer_unknown", "this system does not say who is at the other end of a socket").
		Next("run the vault as a process of its own on Linux")
}
