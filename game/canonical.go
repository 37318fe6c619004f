package game

import (
	"bytes"
	"encoding/json"

	"github.com/talonlottery/talon/fault"
)

// LoadCanonical reads the definition of a game from its canonical JSON, as publications hold it
// (docs/spec/definition.md, section 5). What it returns has exactly this text as its Canonical. Errors
// as [Load], and Invalid with code definition_not_canonical when the text is not the canonical form
// of what it says.
func LoadCanonical(file string, text []byte) (*Definition, error) {
	written, err := writtenAgain(file, text)
	if err != nil {
		return nil, err
	}
	definition, err := Load(file, written)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(definition.Canonical, text) {
		return nil, notCanonical(file)
	}
	return definition, nil
}

// LoadCanonicalJackpot reads the definition of a jackpot from its canonical JSON. Errors as
// [LoadCanonical].
func LoadCanonicalJackpot(file string, text []byte) (*Jackpot, error) {
	written, err := writtenAgain(file, text)
	if err != nil {
		return nil, err
	}
	jackpot, err := LoadJackpot(file, written)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(jackpot.Canonical, text) {
		return nil, notCanonical(file)
	}
	return jackpot, nil
}

func notCanonical(file string) error {
	return fault.New(fault.Invalid, "definition_not_canonical", "this is not the canonical form of a definition").At(file).
		Next("publish the bytes that the definition's hash is of")
}

// amountKeys are the keys whose values are amounts. In canonical form an amount with decimals is a
// text; in a definition's file it is never in quotes.
var amountKeys = map[string]bool{"price": true, "amount": true, "amounts": true, "totals": true, "gains": true, "prize": true,
	"pot": true, "reserve": true, "operator": true, "start": true}

// writtenAgain is the definition as its file may hold it: JSON is YAML, once amounts are numbers
// again. A mistake here cannot pass, since the result must have the canonical form that came in.
func writtenAgain(file string, text []byte) ([]byte, error) {
	if err := checkBytes(file, text); err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var document any
	if err := decoder.Decode(&document); err != nil {
		return nil, notCanonical(file)
	}
	var written bytes.Buffer
	encoder := json.NewEncoder(&written)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(unquoted(document, false)); err != nil {
		return nil, notCanonical(file)
	}
	return written.Bytes(), nil
}

func unquoted(value any, amount bool) any {
	switch v := value.(type) {
	case map[string]any:
		for key := range v {
			v[key] = unquoted(v[key], amountKeys[key])
		}
	case []any:
		for at := range v {
			v[at] = unquoted(v[at], amount)
		}
	case string:
		if amount {
			return json.Number(v)
		}
	}
	return value
}
