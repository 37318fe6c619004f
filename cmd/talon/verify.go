package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/talonlottery/talon/audit"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/publiclog"
	"github.com/talonlottery/talon/receipt"
)

type verifyCommand struct {
	Receipt verifyReceiptCommand `cmd:"" help:"Verify the receipt of a play, offline."`
}

// keyFlags name whom a check believes.
type keyFlags struct {
	Key     string   `required:"" placeholder:"KEY" help:"The operator's public key: its text, or a file that holds it." env:"TALON_KEY"`
	Witness []string `sep:"none" placeholder:"KEY" help:"Ask for the cosignature of this witness; may be given more than once."`
}

func (f keyFlags) keys() (key publiclog.Key, witnesses []publiclog.Key, err error) {
	if key, err = readKey(f.Key); err != nil {
		return key, nil, err
	}
	for _, text := range f.Witness {
		witness, err := readKey(text)
		if err != nil {
			return key, nil, err
		}
		witnesses = append(witnesses, witness)
	}
	return key, witnesses, nil
}

// keyBytesMost is the largest file that is read as a key.
const keyBytesMost = 4096

// readKey takes the text of a key, or the name of a file that holds it.
func readKey(text string) (publiclog.Key, error) {
	key, err := publiclog.ParseKey(text)
	if err == nil {
		return key, nil
	}
	file, opened := os.Open(text)
	if opened != nil {
		return key, err
	}
	defer file.Close()
	held, err := io.ReadAll(io.LimitReader(file, keyBytesMost))
	if err != nil {
		return key, fault.New(fault.Invalid, "key_malformed", "the key cannot be read: %w", err)
	}
	return publiclog.ParseKey(strings.TrimSpace(string(held)))
}

type verifyReceiptCommand struct {
	keyFlags
	File string `arg:"" help:"The receipt, as it was downloaded."`
	JSON bool   `help:"Print JSON for machines."`
}

// verdict is what is printed of a receipt for machines.
type verdict struct {
	Outcome  receipt.Outcome `json:"outcome"`
	Play     string          `json:"play,omitempty"`
	Findings []audit.Finding `json:"findings"`
}

// Run verifies one receipt. A provisional one is not wrong.
func (c verifyReceiptCommand) Run(s streams) error {
	key, witnesses, err := c.keys()
	if err != nil {
		return err
	}
	file, err := os.Open(c.File)
	if err != nil {
		return fault.New(fault.NotFound, "receipt_missing", "the receipt cannot be read: %w", err)
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, receipt.BytesMost+1))
	if err != nil {
		return fault.New(fault.Invalid, "receipt_missing", "the receipt cannot be read: %w", err)
	}
	outcome, wrong := receipt.VerifyText(text, key, witnesses...)
	parsed, _ := receipt.Parse(text) // what cannot be read is in wrong
	if c.JSON {
		err = c.printJSON(s, outcome, parsed, wrong)
	} else {
		err = printVerdict(s.out, outcome, parsed, wrong)
	}
	if err == nil && outcome == receipt.Refused {
		return errFound
	}
	return err
}

func (c verifyReceiptCommand) printJSON(s streams, outcome receipt.Outcome, parsed *receipt.Receipt, wrong error) error {
	v := verdict{Outcome: outcome, Findings: []audit.Finding{}}
	if parsed != nil {
		v.Play = parsed.Play.String()
	}
	if wrong != nil {
		v.Findings = append(v.Findings, audit.Finding{Code: fault.CodeOf(wrong), Where: c.File, What: messageOf(wrong)})
	}
	return json.NewEncoder(s.out).Encode(v)
}

// messageOf is the sentence of a fault with its place, without its next step.
func messageOf(err error) string {
	found, ok := errors.AsType[*fault.Error](err)
	if !ok {
		return err.Error()
	}
	if place := fault.PlaceOf(err); place != "" {
		return place + ": " + found.Message()
	}
	return found.Message()
}

func printVerdict(w io.Writer, outcome receipt.Outcome, r *receipt.Receipt, wrong error) error {
	if outcome == receipt.Refused {
		_, err := fmt.Fprintf(w, "REFUSED  %s: %v\n", fault.CodeOf(wrong), wrong)
		return err
	}
	fmt.Fprintf(w, "The receipt holds; it is %s.\n", outcome)
	fmt.Fprintf(w, "Play %s: unit %d, prize %s\n", r.Play, r.Unit.Index, r.Unit.Prize)
	fmt.Fprintln(w, "Prize and symbols were fixed in the block before its sale.")
	if outcome == receipt.Provisional {
		_, err := fmt.Fprintln(w, "The public log does not tell of the sale or the win yet: take the receipt again later.")
		return err
	}
	_, err := fmt.Fprintln(w, "The play has this place in the block's order of sales.")
	return err
}
