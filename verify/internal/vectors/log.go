package vectors

import (
	"encoding/json"
	"fmt"

	"github.com/talonlottery/talon/verify/internal/merkle"
	"github.com/talonlottery/talon/verify/internal/publiclog"
	"github.com/talonlottery/talon/verify/internal/receipt"
	"github.com/talonlottery/talon/verify/internal/signednote"
)

// log runs entries of every kind, and texts that are no entries: log.md, section 6.
func (r *run) log(data []byte) error {
	type entry struct{ Name, Entry, Leaf string }
	var file struct {
		Vectors struct{ Entries, Refused []entry }
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return err
	}
	for i, v := range file.Vectors.Entries {
		_, err := publiclog.ParseEntry([]byte(v.Entry))
		r.same(fmt.Sprintf("entries[%d] is one", i), err == nil, true)
		r.same(fmt.Sprintf("entries[%d].leaf", i), merkle.Leaf([]byte(v.Entry)), v.Leaf)
	}
	for _, v := range file.Vectors.Refused {
		_, err := publiclog.ParseEntry([]byte(v.Entry))
		r.same(v.Name+" is refused", err != nil, true)
	}
	return nil
}

// receipts verifies receipts: receipt.md, "Test vectors".
func (r *run) receipts(data []byte) error {
	var file struct {
		Vectors struct {
			Key      string
			Receipts []struct{ Name, Outcome, Code, Witness, Receipt string }
		}
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return err
	}
	operator, err := signednote.ParseKey(file.Vectors.Key)
	if err != nil {
		return err
	}
	for _, v := range file.Vectors.Receipts {
		keys := signednote.Keys{Operator: operator}
		if v.Witness != "" {
			witness, err := signednote.ParseKey(v.Witness)
			if err != nil {
				return err
			}
			keys.Witnesses = append(keys.Witnesses, witness)
		}
		result := receipt.Verify([]byte(v.Receipt), keys)
		code := ""
		if len(result.Findings) > 0 {
			code = result.Findings[0].Code
		}
		r.same(v.Name, result.Outcome+" "+code, v.Outcome+" "+v.Code)
	}
	return nil
}
