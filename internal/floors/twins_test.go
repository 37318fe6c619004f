package floors

import (
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// small is a plan of five rooms, for houses that are broken on purpose.
var small = Plan{
	Rooms: []Room{
		{Path: "coin", Floor: 0, Rule: true, Exact: true},
		{Path: "rule", Floor: 1, Rule: true, Exact: true},
		{Path: "internal/secret", Floor: 2},
		{Path: "internal/service", Floor: 3},
		{Path: "internal/other", Floor: 3},
		{Path: "internal/service/servicetest", Floor: 3, Tests: true},
		{Path: "cmd/main", Floor: 4},
		{Path: "internal/later", Floor: 4, Planned: true},
	},
	Exceptions:  []Exception{{"internal/service/servicetest", "internal/service", "support for its tests"}},
	Walls:       []Wall{{Around: "internal/secret", Doors: []string{"cmd/main"}, TestDoors: []string{"internal/other"}, Why: "secrets"}},
	Restricted:  []Restricted{{"math/rand", nil, "unpublished"}, {"crypto/rand", []string{"internal/secret"}, "edge only"}},
	Unreachable: []Restricted{{"net", nil, "asks nobody"}},
	Outside:     []Restricted{{"example.org/flags", []string{"cmd/main"}, "help"}, {"example.org/sync", nil, "groups"}},
}

// sound is a house that agrees with the small plan; each twin breaks one thing.
func sound() map[string]*Package {
	house := map[string]*Package{}
	add := func(path string, imports ...string) {
		house[path] = &Package{Path: Module + "/" + path, Imports: imports, Reaches: imports}
	}
	add("coin", "errors")
	add("rule", Module+"/coin", "time")
	add("internal/secret", Module+"/rule", "crypto/rand")
	add("internal/service", Module+"/rule", "net", "example.org/sync/errgroup")
	add("internal/other", Module+"/coin")
	add("internal/service/servicetest", Module+"/internal/service", "math/rand", "example.org/property")
	add("cmd/main", Module+"/internal/secret", Module+"/internal/service", "example.org/flags")
	house["internal/other"].TestImports = []string{Module + "/internal/secret"}
	house["coin"].TestImports = []string{Module + "/rule", "math/rand", "example.org/property"}
	return house
}

func graph(house map[string]*Package) []Package {
	var packages []Package
	for _, p := range house {
		packages = append(packages, *p)
	}
	return packages
}

func TestSoundHouse(t *testing.T) {
	if found := CheckGraph(small, graph(sound())); len(found) > 0 {
		t.Errorf("a sound house is refused: %v", found)
	}
}

func TestBrokenHouses(t *testing.T) {
	imports := func(from, path string) func(map[string]*Package) {
		return func(h map[string]*Package) { h[from].Imports = append(h[from].Imports, path) }
	}
	testImports := func(from, path string) func(map[string]*Package) {
		return func(h map[string]*Package) { h[from].TestImports = append(h[from].TestImports, path) }
	}
	for _, twin := range []struct {
		name  string
		harm  func(map[string]*Package)
		found string
	}{
		{"a rule looks up", imports("coin", Module+"/rule"), "coin (floor 0): imports rule (floor 1)"},
		{"a service calls a service", imports("internal/service", Module+"/internal/other"),
			"internal/service (floor 3): imports internal/other (floor 3)"},
		{"an exception holds one way only", imports("internal/service", Module+"/internal/service/servicetest"),
			"internal/service (floor 3): imports internal/service/servicetest (floor 3)"},
		{"a service looks over the wall", imports("internal/service", Module+"/internal/secret"),
			"internal/service: imports internal/secret over the wall"},
		{"a test looks over the wall", testImports("internal/service", Module+"/internal/secret"),
			"internal/service: imports internal/secret over the wall"},
		{"a door for tests is none for code", imports("internal/other", Module+"/internal/secret"),
			"internal/other: imports internal/secret over the wall"},
		{"a public room hides what it does", imports("rule", Module+"/internal/secret"), "rule: is public and imports internal/secret"},
		{"a public room's tests do", testImports("rule", Module+"/internal/service"), "rule: is public and its tests import internal/service"},
		{"the product uses what is for tests", imports("cmd/main", Module+"/internal/service/servicetest"),
			"cmd/main: imports internal/service/servicetest"},
		{"an unpublished generator", imports("internal/service", "math/rand"), "internal/service: imports math/rand"},
		{"randomness on the play path", imports("internal/service", "crypto/rand"), "internal/service: imports crypto/rand"},
		{"a rule asks the network", imports("rule", "net"), "rule: reaches net"},
		{"a module that nobody took in", imports("internal/service", "example.org/synchrony"),
			"internal/service: imports example.org/synchrony"},
		{"a module in the wrong room", imports("internal/service", "example.org/flags"),
			"internal/service: imports example.org/flags"},
		{"a room without a row", func(h map[string]*Package) { h["util"] = &Package{Path: Module + "/util"} },
			"util: is not in the table of floors"},
		{"a row without a room", func(h map[string]*Package) { delete(h, "internal/other") },
			"internal/other: is in the table of floors, but there is no such package"},
	} {
		t.Run(twin.name, func(t *testing.T) {
			house := sound()
			twin.harm(house)
			for _, p := range house {
				p.Reaches = p.Imports
			}
			expect(t, CheckGraph(small, graph(house)), twin.found)
		})
	}
}

func TestBrokenPlans(t *testing.T) {
	plan := small
	plan.Walls = []Wall{{Around: "internal/treasury", Doors: []string{"cmd/main"}}}
	expect(t, CheckGraph(plan, graph(sound())), "internal/treasury: is named in a wall, but is not in the table of floors")
	plan = small
	plan.Exceptions = append(slices.Clone(small.Exceptions), Exception{"rule", "ruler", "renamed"})
	expect(t, CheckGraph(plan, graph(sound())), "ruler: is named in an exception, but is not in the table of floors")
}

func TestBrokenFiles(t *testing.T) {
	rule := Room{Path: "rule", Rule: true, Exact: true}
	for _, twin := range []struct {
		name, source, found string
		room                Room
	}{
		{"a clock", "import \"time\"\nvar now = time.Now()", "rule.go:3: reads the clock: time.Now", rule},
		{"a clock by another name", "import clock \"time\"\nvar f = clock.Since", "rule.go:3: reads the clock: time.Since", rule},
		{"a clock without a name", "import . \"time\"\nvar now = Now()", "rule.go:2: imports package time with a dot", rule},
		{"a wait", "import \"time\"\nfunc f() { time.Sleep(time.Second) }", "rule.go:3: reads the clock: time.Sleep", rule},
		{"a floating-point amount", "type Amount float64", "rule.go:2: uses float64", rule},
		{"a floating-point conversion", "func f(n int) int { return int(float32(n)) }", "rule.go:2: uses float32", rule},
		{"a floating-point constant", "const share = 0.7", "rule.go:2: has the floating-point constant 0.7", rule},
		{"time as an argument", "import \"time\"\nfunc f(at time.Time) time.Time { return at.Add(time.Hour) }", "", rule},
		{"a name of its own", "import \"time\"\nvar _ time.Time\nfunc f(time interface{ Now() int }) int { return time.Now() }", "", rule},
		{"a service may wait", "import \"time\"\nvar f = time.Sleep", "", Room{Path: "internal/service", Exact: true}},
		{"a drawing may use fractions", "const x = 0.5", "", Room{Path: "internal/art"}},
	} {
		t.Run(twin.name, func(t *testing.T) {
			set := token.NewFileSet()
			file, err := parser.ParseFile(set, "rule.go", "package rule\n"+twin.source, 0)
			if err != nil {
				t.Fatal(err)
			}
			expect(t, CheckFile(twin.room, set, file), twin.found)
		})
	}
}

func TestBrokenTexts(t *testing.T) {
	long := "package long\n" + strings.Repeat("//\n", LinesMost)
	for _, twin := range []struct{ name, file, text, found string }{
		{"a place of one machine", "README.md", "one\nsee /" + "work/main\n", "README.md:2: names a place of one machine"},
		{"the home of one machine", "run.sh", "cd /" + "root/talon", "run.sh:1: names a place of one machine"},
		{"something left undone", "a.go", "package a // TO" + "DO: money", "a.go:1: says TO" + "DO"},
		{"a doubt", "a.css", "/* X" + "XX */", "a.css:1: says X" + "XX"},
		{"a file nobody reads to its end", "long.go", long, "long.go: has 801 lines"},
		{"a generated file", "long.go", "// Code generated by a tool. DO NOT EDIT.\n" + long, ""},
		{"paths of ours", "doc.go", "package doc // net/work/flow, frame/root/leaf, https://example.org/work/", ""},
		{"digests", "go.sum", "h1:TO" + "DO", ""},
		{"a picture", "a.png", "\x00 TO" + "DO", ""},
	} {
		t.Run(twin.name, func(t *testing.T) { expect(t, CheckText(twin.file, []byte(twin.text)), twin.found) })
	}
}

// expect asks that a finding begins with want, or that there is none when want is empty.
func expect(t *testing.T, found []Finding, want string) {
	t.Helper()
	if want == "" {
		if len(found) > 0 {
			t.Errorf("found %v in what is sound", found)
		}
		return
	}
	for _, f := range found {
		if strings.HasPrefix(f.String(), want) {
			return
		}
	}
	t.Errorf("found %v, not %q", found, want)
}
