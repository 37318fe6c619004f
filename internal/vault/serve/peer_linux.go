package serve

import (
	"net"
	"syscall"

	"github.com/talonlottery/talon/fault"
)

// peerUser is the user id of the process at the other end of a Unix socket, as the kernel knows it (SO_PEERCRED, unix(7)).
func peerUser(connection net.Conn) (int, error) {
	unknown := fault.New(fault.Refused, "peer_unknown", "the user at the other end of the vault's socket is not known")
	socket, ok := connection.(*net.UnixConn)
	if !ok {
		return -1, unknown
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return -1, unknown
	}
	uid := -1
	err = raw.Control(func(descriptor uintptr) {
		if credentials, err := syscall.GetsockoptUcred(int(descriptor), syscall.SOL_SOCKET, syscall.SO_PEERCRED); err == nil {
			uid = int(credentials.Uid)
		}
	})
	if err != nil || uid < 0 {
		return -1, unknown
	}
	return uid, nil
}
