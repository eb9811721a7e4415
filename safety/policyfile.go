package safety

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
	"golang.org/x/net/publicsuffix"
)

// PolicyError is one thing wrong with a policy file.
type PolicyError struct {
	File    string
	Line    int // from 1; 0 where there is none
	Message string
	Hint    string
}

// Error gives the file, the line, the message and the hint.
func (e *PolicyError) Error() string {
	s := e.File
	if e.Line > 0 {
		s += ":" + strconv.Itoa(e.Line)
	}
	s += ": " + e.Message
	if e.Hint != "" {
		s += " (" + e.Hint + ")"
	}
	return s
}

// maxPolicyFile is the largest size of a policy file in bytes.
const maxPolicyFile = 1 << 20

// ParsePolicy reads a policy file. Its error has every fault as a *PolicyError with
// its line; the policy is then nil.
func ParsePolicy(b []byte, file string) (*Policy, error) {
	f := policyFile{file: file, p: &Policy{Preset: Standard}}
	if len(b) > maxPolicyFile {
		return nil, &PolicyError{File: file, Message: "the file is larger than 1 MiB"}
	}
	root, err := f.document(b)
	if err != nil {
		return nil, err
	}
	if root == nil {
		return f.p, nil
	}
	f.entries(root, "the policy", func(k, v *yaml.Node) {
		switch k.Value {
		case "preset":
			f.preset(v)
		case "classes":
			f.p.Classes = f.rules(v, "classes", false)
		case "sites":
			f.sites(v)
		case "local":
			f.local(v)
		default:
			f.fault(k, "preset, classes, sites and local are what a policy has", "there is no %q", k.Value)
		}
	})
	if len(f.errs) > 0 {
		return nil, errors.Join(f.errs...)
	}
	return f.p, nil
}

type policyFile struct {
	file string
	p    *Policy
	errs []error
}

func (f *policyFile) fault(n *yaml.Node, hint, format string, args ...any) {
	f.errs = append(f.errs, &PolicyError{File: f.file, Line: n.Line, Message: fmt.Sprintf(format, args...), Hint: hint})
}

var yamlAt = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

// document is the mapping at the top, nil for a file that says nothing.
func (f *policyFile) document(b []byte) (*yaml.Node, error) {
	var docs []*yaml.Node
	for dec := yaml.NewDecoder(bytes.NewReader(b)); ; {
		var n yaml.Node
		err := dec.Decode(&n)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			e := &PolicyError{File: f.file, Message: err.Error()}
			if m := yamlAt.FindStringSubmatch(e.Message); m != nil {
				e.Line, _ = strconv.Atoi(m[1]) // none: 0
				e.Message = e.Message[len(m[0]):]
			}
			return nil, e
		}
		if docs = append(docs, &n); len(docs) > 1 {
			return nil, &PolicyError{File: f.file, Line: n.Line, Message: "a second document begins here; a policy is one"}
		}
	}
	if len(docs) == 0 || len(docs[0].Content) == 0 || docs[0].Content[0].Tag == "!!null" {
		return nil, nil //nolint:nilnil // documented
	}
	return docs[0].Content[0], nil
}

// entries calls do for each entry of a mapping. A repeated key is a fault, since
// readers might go by either entry.
func (f *policyFile) entries(n *yaml.Node, what string, do func(k, v *yaml.Node)) {
	if n.Kind != yaml.MappingNode {
		f.fault(n, "", "%s is written as name: value, each on a line of its own", what)
		return
	}
	seen := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k := n.Content[i]
		if k.Kind != yaml.ScalarNode {
			f.fault(k, "", "%s: a name is one word", what)
			continue
		}
		if at, twice := seen[k.Value]; twice {
			f.fault(k, "", "%q stands in line %d already", k.Value, at)
			continue
		}
		seen[k.Value] = k.Line
		do(k, n.Content[i+1])
	}
}

func (f *policyFile) preset(v *yaml.Node) {
	if v.Kind != yaml.ScalarNode || !slices.Contains(Presets, v.Value) {
		f.fault(v, "one of "+strings.Join(Presets, ", "), "there is no preset %q", v.Value)
		return
	}
	f.p.Preset = v.Value
}

// rules reads a mapping of classes to settings.
func (f *policyFile) rules(n *yaml.Node, what string, all bool) map[Class]Setting {
	out := map[Class]Setting{}
	f.entries(n, what, func(k, v *yaml.Node) {
		c := Class(k.Value)
		if !slices.Contains(Classes, c) && !(all && c == All) {
			f.fault(k, "one of "+joined(Classes), "there is no class %q", k.Value)
			return
		}
		if s, ok := f.setting(c, v); ok {
			out[c] = s
		}
	})
	return out
}

func (f *policyFile) setting(c Class, v *yaml.Node) (Setting, bool) {
	s := Setting(v.Value)
	if v.Kind != yaml.ScalarNode || !slices.Contains(AllSettings, s) {
		f.fault(v, "one of "+joined(AllSettings), "%s: there is no setting %q", c, v.Value)
		return "", false
	}
	if mild := s == SetAuto || s == SetNotify; mild && slices.Contains(guardedClasses, c) {
		f.fault(v, "once asks one time in a task, confirm each time", "%s can't be set to %s: it is asked about at least once a task", c, s)
		return "", false
	} else if mild && c == All {
		f.fault(v, "name the classes: communicate, submit, …", "all can't be set to %s: it holds for payments and deletions too", s)
		return "", false
	}
	return s, true
}

func (f *policyFile) sites(n *yaml.Node) {
	f.p.Sites = map[string]map[Class]Setting{}
	from := map[string]int{}
	f.entries(n, "sites", func(k, v *yaml.Node) {
		host, err := PolicySite(k.Value)
		if err != nil {
			f.fault(k, "a host such as shop.example, without https:// and path", "%s", err.Error())
			return
		}
		if at, twice := from[host]; twice {
			f.fault(k, "", "%q is the same site as in line %d", k.Value, at)
			return
		}
		from[host] = k.Line
		if v.Kind == yaml.ScalarNode { // "site: block" applies to all classes
			if s, ok := f.setting(All, v); ok {
				f.p.Sites[host] = map[Class]Setting{All: s}
			}
			return
		}
		f.p.Sites[host] = f.rules(v, k.Value, true)
	})
}

func (f *policyFile) local(n *yaml.Node) {
	if n.Kind != yaml.SequenceNode {
		f.fault(n, "", "local is a list of hosts and networks")
		return
	}
	for _, e := range n.Content {
		if e.Kind != yaml.ScalarNode || strings.TrimSpace(e.Value) == "" || strings.ContainsAny(e.Value, " @?#") || strings.Contains(e.Value, "://") {
			f.fault(e, "such as nas.local, 192.168.1.5:8080 or 10.0.0.0/8", "%q is no host or network", e.Value)
			continue
		}
		f.p.Local = append(f.p.Local, strings.ToLower(e.Value))
	}
}

func joined[T ~string](list []T) string {
	out := make([]string, 0, len(list))
	for _, x := range list {
		out = append(out, string(x))
	}
	return strings.Join(out, ", ")
}

// PolicySite gives the host for a site that the user names, in the form of rules and
// grants: as a browser would request it, with the port if the name has one.
// "*.shop.example" and ".shop.example" become shop.example, since a rule applies to
// subdomains anyway. A public suffix (com, co.uk, github.io) is an error: its rule
// would apply to all sites under it.
func PolicySite(name string) (string, error) {
	s := strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(name), "*"), ".")
	if s == "" || strings.ContainsAny(s, "/\\@?#* \t") {
		return "", fmt.Errorf("%q is no site", name)
	}
	host, port := cutPort(s)
	if n, err := strconv.Atoi(port); port != "" && (err != nil || n < 1 || n > 65535) {
		return "", fmt.Errorf("%q has a port that there can't be", name)
	}
	host, ok := canonicalHost(host)
	if !ok {
		return "", fmt.Errorf("%q is no site", name)
	}
	if _, ip := parseIP(host); !ip {
		suffix, icann := publicsuffix.PublicSuffix(host)
		if suffix == host && (icann || strings.Contains(host, ".")) {
			return "", fmt.Errorf("%q is no site of its own: the rule would hold for all that end so", name)
		}
	}
	if port != "" {
		return host + ":" + port, nil
	}
	return host, nil
}
