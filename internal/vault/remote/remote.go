// Package remote is a vault in another process, asked over its Unix socket.
//
// Its one promise: it has the contract of package vault, and holds nothing of the vault's: no secret of a block that has not ended, and
// only the units of the batches that were asked for. Every request may be made again when its answer was lost: ranges for the same batch,
// ends, and a mixed deal give the same; a plain deal that was lost leaves files that a sweep removes.
package remote

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/custody"
	"github.com/talonlottery/talon/internal/vault/wire"
)

// answerTime is how long an answer may take that is no deal; the caller's context may end earlier.
const answerTime = time.Minute

// forgetTime is how long a lane may wait to tell that it has left a block.
const forgetTime = 2 * time.Second

// Vault asks a vault. It is safe for concurrent use.
type Vault struct {
	client *http.Client
}

// New makes a vault that is asked on a socket. Nothing is asked yet.
func New(socket string) *Vault {
	dialer := net.Dialer{Timeout: 5 * time.Second}
	return &Vault{client: &http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return dialer.DialContext(ctx, "unix", socket)
		},
		MaxIdleConnsPerHost: 32, MaxConnsPerHost: 64, IdleConnTimeout: 5 * time.Minute, DisableCompression: true,
	}}}
}

// Close ends idle connections.
func (v *Vault) Close() error {
	v.client.CloseIdleConnections()
	return nil
}

// unreachable is when it is not known what the vault did.
func unreachable(err error) error {
	return fault.New(fault.Unavailable, "vault_unreachable", "the vault did not answer: %w", err).
		Next("see that `talon vault` runs, and that this user may use its socket; it may be asked for again")
}

// send sends a request and gives the body of the answer, or the fault that was told.
func (v *Vault) send(ctx context.Context, path, kind string, body []byte) (io.ReadCloser, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://vault"+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", kind)
	response, err := v.client.Do(request)
	if ctx.Err() != nil {
		if err == nil {
			_ = response.Body.Close()
		}
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, unreachable(err)
	}
	if response.StatusCode == http.StatusOK {
		return response.Body, nil
	}
	defer response.Body.Close()
	text, err := wire.ReadMost(response.Body, wire.RequestMost)
	var told wire.Fault
	if err != nil || json.Unmarshal(text, &told) != nil || told.Code == "" {
		return nil, unreachable(wire.Malformed())
	}
	return nil, told.Err()
}

// ask sends a question and reads the answer, both as JSON.
func ask[A any](ctx context.Context, v *Vault, path string, question any) (told A, err error) {
	body, err := json.Marshal(question)
	if err != nil {
		return told, err
	}
	waiting, stop := context.WithTimeout(ctx, answerTime)
	defer stop()
	answer, err := v.send(waiting, path, "application/json", body)
	if err == nil {
		defer answer.Close()
		var text []byte
		if text, err = wire.ReadMost(answer, wire.ResponseMost); err != nil {
			err = unreachable(err)
		} else if json.Unmarshal(text, &told) != nil {
			err = unreachable(wire.Malformed())
		}
	}
	return told, whose(ctx, waiting, err)
}

// whose says whether the caller's wait ended, or the vault took too long.
func whose(ctx, waiting context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case waiting.Err() != nil:
		return unreachable(waiting.Err())
	}
	return err
}

// OpenUnits opens units for a batch; see vault.OpenUnits. Also Unavailable with code vault_unreachable when it is not known whether the
// batch is bound.
func (v *Vault) OpenUnits(ctx context.Context, batch custody.Batch, ranges ...custody.Range) error {
	body, err := wire.EncodeOpen(batch, ranges)
	if err != nil {
		return err
	}
	waiting, stop := context.WithTimeout(ctx, answerTime)
	defer stop()
	answer, err := v.send(waiting, wire.PathOpen, "application/octet-stream", body)
	if err != nil {
		return whose(ctx, waiting, err)
	}
	defer answer.Close()
	text, err := wire.ReadMost(answer, wire.ResponseMost)
	if err != nil {
		return whose(ctx, waiting, unreachable(err))
	}
	return wire.DecodeUnits(text, ranges)
}

// Bound gives the newest range of a block; see vault.Bound.
func (v *Vault) Bound(ctx context.Context, id block.ID) (custody.Bound, error) {
	told, err := ask[wire.Bound](ctx, v, wire.PathBound, wire.Block{ID: id})
	if err != nil || told.Count == 0 {
		return custody.Bound{}, err
	}
	return custody.Bound{From: told.From, Count: told.Count, Digest: told.Digest, Batch: told.Batch}, nil
}

// Forget lets the vault drop what it holds in memory of a block that is sold out. It is a hint: that it cannot be given is no error.
func (v *Vault) Forget(id block.ID) {
	brief, stop := context.WithTimeout(context.Background(), forgetTime)
	defer stop()
	_, _ = ask[struct{}](brief, v, wire.PathForget, wire.Block{ID: id})
}

// Sweep removes what stopped deals left; see vault.Sweep.
func (v *Vault) Sweep(ctx context.Context, known []block.ID) (int, error) {
	told, err := ask[wire.Swept](ctx, v, wire.PathSweep, wire.Sweep{Known: known})
	return told.Removed, err
}

// Retire says that nothing more of a block is opened; see vault.Retire.
func (v *Vault) Retire(ctx context.Context, id block.ID) error {
	_, err := ask[struct{}](ctx, v, wire.PathRetire, wire.Block{ID: id})
	return err
}

// Release gives the secret of a block that ended; see vault.Release.
func (v *Vault) Release(ctx context.Context, header block.Header, evidence custody.Evidence) (custody.Released, error) {
	told, err := ask[wire.Released](ctx, v, wire.PathRelease, wire.Release{Header: header, Evidence: evidence})
	if err != nil {
		return custody.Released{}, err
	}
	released := custody.Released{Signature: told.Signature}
	if released.Secret, err = block.SecretFromBytes(told.Secret); err != nil {
		return custody.Released{}, unreachable(err)
	}
	for _, share := range told.Shares {
		drawn, err := block.SecretFromBytes(share.Share)
		if err != nil {
			return custody.Released{}, unreachable(err)
		}
		released.Shares = append(released.Shares, block.Share{Party: share.Party, Bytes: drawn})
	}
	return released, nil
}

// Recipient asks for the recipient that parties encrypt their shares to.
func (v *Vault) Recipient(ctx context.Context) (string, error) {
	told, err := ask[wire.About](ctx, v, wire.PathAbout, struct{}{})
	return told.Recipient, err
}

// Deal makes a block; see vault.Deal.
func (v *Vault) Deal(ctx context.Context, game string, stake int, progress func(done, total uint32)) (block.Deal, error) {
	return v.deal(ctx, wire.PathDeal, wire.Deal{Game: game, Stake: stake}, progress)
}

// DealMixed makes a block whose secret nobody chose; see vault.DealMixed.
func (v *Vault) DealMixed(ctx context.Context, ceremony custody.Ceremony, progress func(done, total uint32)) (block.Deal, error) {
	return v.deal(ctx, wire.PathMixed, ceremony, progress)
}

// lineMost is the longest line of an answer to a deal.
const lineMost = 64 << 10

func (v *Vault) deal(ctx context.Context, path string, question any, progress func(done, total uint32)) (block.Deal, error) {
	body, err := json.Marshal(question)
	if err != nil {
		return block.Deal{}, err
	}
	answer, err := v.send(ctx, path, "application/json", body)
	if err != nil {
		return block.Deal{}, err
	}
	defer answer.Close()
	lines := bufio.NewScanner(answer)
	lines.Buffer(nil, lineMost)
	for lines.Scan() {
		var line wire.Dealing
		switch err := json.Unmarshal(lines.Bytes(), &line); {
		case err != nil:
			return block.Deal{}, unreachable(wire.Malformed())
		case line.Fault != nil:
			return block.Deal{}, line.Fault.Err()
		case line.Deal != nil:
			return *line.Deal, nil
		case progress != nil:
			progress(line.Done, line.Total)
		}
	}
	if ctx.Err() != nil {
		return block.Deal{}, ctx.Err()
	}
	if err := lines.Err(); err != nil {
		return block.Deal{}, unreachable(err)
	}
	return block.Deal{}, unreachable(io.ErrUnexpectedEOF)
}
