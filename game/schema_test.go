package game_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/game"
)

func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(game.Schema))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource("schema.json", document); err != nil {
		t.Fatal(err)
	}
	compiled, err := compiler.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

// instance is a YAML text as an editor's checker sees it.
func instance(text string) (any, error) {
	converted, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		return nil, err
	}
	return jsonschema.UnmarshalJSON(bytes.NewReader(converted))
}

func TestSchemaTakesWhatLoads(t *testing.T) {
	compiled := schema(t)
	texts := map[string]string{"small": small, "again": smallAgain, "pot": smallPot}
	files, err := filepath.Glob("../games/*/game.yaml")
	if err != nil || len(files) < 3 {
		t.Fatalf("the definitions that come with Talon: %v, %v", files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		texts[file] = string(text)
	}
	for name, text := range texts {
		value, err := instance(text)
		if err != nil {
			t.Fatal(err)
		}
		if err := compiled.Validate(value); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What the schema refuses the loader refuses too; what only the loader refuses is meaning, not shape.
func TestSchemaRefusesShapes(t *testing.T) {
	compiled := schema(t)
	meaning := map[string]bool{ // codes that are about values that disagree, or about YAML itself
		"totals_do_not_add_up": true, "more_prizes_than_units": true, "parts_not_price": true, "part_unknown": true, "part_wrong": true,
		"part_missing": true, "stakes_not_ascending": true, "tiers_not_descending": true, "amounts_missing": true, "articles_missing": true,
		"key_twice": true, "yaml_not_plain": true, "value_not_plain": true, "documents_wrong": true, "text_not_utf8": true, "text_malformed": true,
		"file_too_large": true, "amount_malformed": true, "title_missing": true,
	}
	refused := 0
	for _, test := range refusals {
		text := strings.Replace(small, test.old, test.new, 1)
		value, err := instance(text)
		if err != nil {
			continue
		}
		err = compiled.Validate(value)
		if err != nil {
			refused++
		}
		if _, loaded := game.Load("x", []byte(text)); loaded == nil {
			t.Errorf("%s: it loads, schema says %v", test.name, err)
		} else if err == nil && !meaning[fault.CodeOf(loaded)] {
			switch test.name {
			case "jackpot with the game's name", "price beyond what a block can count", "choice of more than there are",
				"one tier with more prizes than units", "another kind", "key twice, in quotes", "number with decimals":
			default:
				t.Errorf("%s: the loader says %v, the schema nothing", test.name, loaded)
			}
		}
	}
	if refused < 40 {
		t.Errorf("the schema refused only %d of %d", refused, len(refusals))
	}
}

// Every key has a description, its own or that of what it refers to, so that an editor can show it.
func TestSchemaDescribes(t *testing.T) {
	var document struct {
		Definitions map[string]map[string]any `json:"$defs"`
	}
	if err := json.Unmarshal(game.Schema, &document); err != nil {
		t.Fatal(err)
	}
	if len(document.Definitions) == 0 {
		t.Fatal("the schema defines nothing")
	}
	self := map[string]bool{"kind": true, "name": true, "title": true, "fr": true, "en": true, "rows": true, "columns": true, "symbols": true,
		"symbol": true, "combinations": true, "coefficients": true, "size": true, "wild": true, "multiplier": true}
	for name, definition := range document.Definitions {
		properties, _ := definition["properties"].(map[string]any)
		for key, property := range properties {
			fields, _ := property.(map[string]any)
			reference, _ := fields["$ref"].(string)
			target := document.Definitions[strings.TrimPrefix(reference, "#/$defs/")]
			if fields["description"] == nil && (target == nil || target["description"] == nil) && !self[key] {
				t.Errorf("%s.%s has no description", name, key)
			}
		}
	}
}
