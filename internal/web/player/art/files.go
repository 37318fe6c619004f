package art

// Files returns the engraved files that the style sheets refer to, by their path under static/. They are committed;
// a test keeps them equal to this code, and rewrites them with -update.
func Files() map[string]string {
	files := map[string]string{
		"icons/favicon.svg": favicon(),
	}
	for name, v := range velvets {
		files["icons/guilloche-"+name+".svg"] = background(v.line)
		files["icons/cover-"+name+".svg"] = cover(v)
	}
	files["icons/guilloche-paper.svg"] = background("#b08a3c")
	for name, b := range bands {
		files["icons/frame-"+name+".svg"] = frame(b)
	}
	return files
}
