package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// contract is openapi.yaml as a judge of answers. It is stricter than the document: an answer holds
// no field that the document does not name.
type contract struct {
	paths   map[string]map[string]operation // by path and method, lower case
	schemas map[string]*jsonschema.Schema
}

type operation struct {
	ID        string              `json:"operationId"`
	Responses map[string]response `json:"responses"`
}

type response struct {
	Reference string `json:"$ref"`
	Content   map[string]struct {
		Schema struct {
			Reference string `json:"$ref"`
		} `json:"schema"`
	} `json:"content"`
}

const schemasAt = "#/components/schemas/"

// theContract is read once; it is never changed.
var theContract struct {
	once sync.Once
	*contract
}

func readContract(t testing.TB) *contract {
	t.Helper()
	theContract.once.Do(func() { theContract.contract = newContract(t) })
	if theContract.contract == nil {
		t.Fatal("the contract could not be read")
	}
	return theContract.contract
}

func newContract(t testing.TB) *contract {
	t.Helper()
	text, err := os.ReadFile("openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	converted, err := yaml.YAMLToJSON(text)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := jsonschema.UnmarshalJSON(bytes.NewReader(converted))
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Paths map[string]map[string]json.RawMessage
	}
	if err := json.Unmarshal(converted, &document); err != nil {
		t.Fatal(err)
	}
	c := &contract{paths: make(map[string]map[string]operation), schemas: make(map[string]*jsonschema.Schema)}
	for path, methods := range document.Paths {
		c.paths[path] = make(map[string]operation)
		for method, text := range methods {
			if method == "parameters" {
				continue
			}
			var found operation
			if err := json.Unmarshal(text, &found); err != nil {
				t.Fatal(err)
			}
			c.paths[path][method] = found
		}
	}
	closeObjects(whole)
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource("openapi.json", whole); err != nil {
		t.Fatal(err)
	}
	components := whole.(map[string]any)["components"].(map[string]any)
	for name := range components["schemas"].(map[string]any) {
		if c.schemas[name], err = compiler.Compile("openapi.json" + schemasAt + name); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// closeObjects refuses fields that no schema names.
func closeObjects(node any) {
	switch node := node.(type) {
	case map[string]any:
		if _, object := node["properties"]; object && node["additionalProperties"] == nil {
			node["additionalProperties"] = false
		}
		for _, child := range node {
			closeObjects(child)
		}
	case []any:
		for _, child := range node {
			closeObjects(child)
		}
	}
}

// operationAt finds the operation of a request, or nothing.
func (c *contract) operationAt(method, path string) (operation, bool) {
	parts := strings.Split(strings.TrimPrefix(path, "/api/v1"), "/")
	for template, methods := range c.paths {
		names := strings.Split(template, "/")
		same := slices.EqualFunc(parts, names, func(part, name string) bool {
			return part == name || strings.HasPrefix(name, "{") && part != ""
		})
		if found, ok := methods[strings.ToLower(method)]; same && ok {
			return found, true
		}
	}
	return operation{}, false
}

// breach says in what an answer breaks the contract, or nil.
func (c *contract) breach(method, path string, status int, header http.Header, body []byte) error {
	wanted := response{Reference: "#/components/responses/Problem"}
	if found, ok := c.operationAt(method, path); ok {
		said, listed := found.Responses[fmt.Sprint(status)]
		switch {
		case listed:
			wanted = said
		case status < 400:
			return fmt.Errorf("%d is not an answer of %s", status, found.ID)
		}
	} else if status < 400 {
		return fmt.Errorf("%s %s is not in the document, and was answered with %d", method, path, status)
	}
	kind, schema := "application/problem+json", "Problem"
	if wanted.Reference == "" {
		if len(wanted.Content) == 0 {
			return nothing(body)
		}
		kind = slices.Collect(maps.Keys(wanted.Content))[0]
		schema = strings.TrimPrefix(wanted.Content[kind].Schema.Reference, schemasAt)
	}
	if said, _, err := mime.ParseMediaType(header.Get("Content-Type")); err != nil || said != kind {
		return fmt.Errorf("the answer is %q, not %s", header.Get("Content-Type"), kind)
	}
	if (status == http.StatusServiceUnavailable) != (header.Get("Retry-After") != "") {
		return fmt.Errorf("Retry-After is %q with status %d", header.Get("Retry-After"), status)
	}
	if header.Get("Cache-Control") != "no-store" || header.Get("X-Content-Type-Options") != "nosniff" && status != http.StatusForbidden {
		return fmt.Errorf("headers: %v", header)
	}
	if err := c.valid(schema, body); err != nil {
		return err
	}
	return consistent(schema, status, body)
}

func nothing(body []byte) error {
	if len(body) > 0 {
		return fmt.Errorf("there is a body: %s", body)
	}
	return nil
}

// valid compares a document with a schema.
func (c *contract) valid(schema string, body []byte) error {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("not JSON: %w: %s", err, body)
	}
	if err := c.schemas[schema].Validate(document); err != nil {
		return fmt.Errorf("not a %s: %w: %s", schema, err, body)
	}
	return leak(document)
}

// consistent asks what a schema cannot say of a problem: its status is that of the answer, its type
// ends with its code, and it tells what to do next or gives a reference.
func consistent(schema string, status int, body []byte) error {
	if schema != "Problem" {
		return nil
	}
	var p problem
	if err := json.Unmarshal(body, &p); err != nil {
		return err
	}
	if p.Status != status || p.Type != "/problems/"+p.Code || p.Title == "" {
		return fmt.Errorf("status %d came with %s", status, body)
	}
	if (status == http.StatusInternalServerError) != (p.Reference != "") {
		return fmt.Errorf("a reference goes with a failure of ours, and with nothing else: %s", body)
	}
	return nil
}

// leak finds a play that is not disclosed and yet tells something of its outcome, anywhere in a
// document.
func leak(node any) error {
	switch node := node.(type) {
	case map[string]any:
		if node["disclosed"] == false {
			for _, telling := range []string{"outcome", "choice", "prize", "layout", "gains", "kind", "statement", "after", "jackpot", "salt"} {
				if _, told := node[telling]; told {
					return fmt.Errorf("a play that is not disclosed tells its %s", telling)
				}
			}
		}
		for _, child := range node {
			if err := leak(child); err != nil {
				return err
			}
		}
	case []any:
		for _, child := range node {
			if err := leak(child); err != nil {
				return err
			}
		}
	}
	return nil
}

// problem is a problem document, as a client reads it.
type problem struct {
	Type, Title, Code, Detail, Next, Reference, Play string
	Status                                           int
}

// The twins: answers that break the contract in one way each, and an honest one.
func TestTheContractCatches(t *testing.T) {
	c := readContract(t)
	const (
		honest = `{"available":"9.50","playMoney":true,"unfinished":[],"session":{"started":"2026-03-01T09:00:00Z","staked":"0.50","won":"0.00","net":"-0.50"}}`
		play   = `{"plays":[{"id":"x","number":1,"game":"g","stake":"0.50","at":"2026-03-01T09:00:00Z","parts":[],"block":"b","index":0,"disclosed":false,"shown":false,"available":"9.50"}]}`
		wrong  = `{"type":"/problems/x","title":"No.","status":400,"code":"x"}`
	)
	header := func(kind string) http.Header {
		return http.Header{"Content-Type": {kind}, "Cache-Control": {"no-store"}, "X-Content-Type-Options": {"nosniff"}}
	}
	const plain, problem = "application/json", "application/problem+json"
	for _, test := range []struct {
		name, path string
		status     int
		kind, body string
		caught     bool
	}{
		{"honest", "/player", 200, plain, honest, false},
		{"honest history", "/plays", 200, plain, play, false},
		{"honest problem", "/player", 400, problem, wrong, false},
		{"a field is missing", "/player", 200, plain, strings.Replace(honest, `"playMoney":true,`, "", 1), true},
		{"a field that nobody knows", "/player", 200, plain, strings.Replace(honest, `{"available"`, `{"funds":"1.00","available"`, 1), true},
		{"money as a number", "/player", 200, plain, strings.Replace(honest, `"9.50"`, `9.5`, 1), true},
		{"money without cents", "/player", 200, plain, strings.Replace(honest, `"9.50"`, `"9.5"`, 1), true},
		{"a time that is none", "/player", 200, plain, strings.Replace(honest, `2026-03-01T09:00:00Z`, `today`, 1), true},
		{"another type", "/player", 200, "text/html", honest, true},
		{"an answer that is not listed", "/player", 201, plain, honest, true},
		{"a path that is not listed", "/players", 200, plain, honest, true},
		{"an outcome before the choice", "/plays", 200, plain, strings.Replace(play, `"shown"`, `"choice":[1],"shown"`, 1), true},
		{"a problem of another status", "/player", 404, problem, wrong, true},
		{"a problem without a code", "/player", 400, problem, strings.Replace(wrong, `,"code":"x"`, "", 1), true},
		{"a failure without a reference", "/player", 500, problem, strings.Replace(wrong, "400", "500", 1), true},
		{"no Retry-After", "/player", 503, problem, strings.Replace(wrong, "400", "503", 1), true},
	} {
		if err := c.breach("GET", "/api/v1"+test.path, test.status, header(test.kind), []byte(test.body)); (err != nil) != test.caught {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}
