// Prints what the Go type checker knows about a module: its declarations, and where each is used.
//
// Usage: go run oracle.go DIR. One tab-separated row a line, paths relative to DIR:
//
//	file PATH                               a file that was checked
//	decl PATH LINE NAME KIND                a function, method, type, or method of an interface
//	use  PATH LINE NAME FROM_PATH FROM_LINE the declaration, and a line that uses it
//	may  PATH LINE NAME FROM_PATH FROM_LINE a method, and a line that calls it through an interface,
//	                                        if the object there is of its type
//
// Packages from outside the module are not loaded. What depends on their types has no row.
package main

import (
	"bufio"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

var (
	root    string
	modules = map[string]string{} // module path -> folder
	files   = token.NewFileSet()
	known   = map[string]*types.Package{}
	std     = importer.ForCompiler(files, "source", nil)
	out     = bufio.NewWriter(os.Stdout)
	seen    = map[string]bool{}
	checks  []*types.Info
	// The lines that use each method of an interface.
	calls = map[string]map[[2]string]bool{}
)

func row(fields ...string) {
	line := strings.Join(fields, "\t")
	if !seen[line] {
		seen[line] = true
		fmt.Fprintln(out, line)
	}
}

func place(at token.Pos) (string, string, bool) {
	position := files.Position(at)
	path, err := filepath.Rel(root, position.Filename)
	if err != nil || strings.HasPrefix(path, "..") {
		return "", "", false
	}
	return filepath.ToSlash(path), fmt.Sprint(position.Line), true
}

// folder returns the folder of an import path of one of the modules.
func folder(path string) (string, bool) {
	best, found := "", ""
	for module, dir := range modules {
		if (path == module || strings.HasPrefix(path, module+"/")) && len(module) > len(best) {
			best, found = module, filepath.Join(dir, strings.TrimPrefix(path, module))
		}
	}
	return found, best != ""
}

type packages struct{}

func (packages) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if one, ok := known[path]; ok {
		return one, nil
	}
	dir, ok := folder(path)
	if !ok {
		if first := strings.SplitN(path, "/", 2)[0]; strings.Contains(first, ".") {
			return nil, fmt.Errorf("outside")
		}
		return std.Import(path)
	}
	known[path] = types.NewPackage(path, filepath.Base(path)) // against cycles
	plain, _, _ := parse(dir)
	checked := check(path, plain)
	known[path] = checked
	return checked, nil
}

// parse returns the files of a package, those with its tests, and those of its external tests.
func parse(dir string) (plain, internal, external []*ast.File) {
	names, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	sort.Strings(names)
	for _, name := range names {
		if match, err := build.Default.MatchFile(dir, filepath.Base(name)); err != nil || !match {
			continue
		}
		file, err := parser.ParseFile(files, name, nil, parser.ParseComments)
		if file == nil || err != nil {
			continue
		}
		switch isTest := strings.HasSuffix(name, "_test.go"); {
		case isTest && strings.HasSuffix(file.Name.Name, "_test"):
			external = append(external, file)
		case isTest:
			internal = append(internal, file)
		default:
			plain = append(plain, file)
		}
	}
	return plain, internal, external
}

func check(path string, of []*ast.File) *types.Package {
	info := &types.Info{
		Defs:       map[*ast.Ident]types.Object{},
		Uses:       map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
	checks = append(checks, info)
	config := types.Config{Importer: packages{}, Error: func(error) {}, FakeImportC: true}
	checked, _ := config.Check(path, files, of, info)
	for _, file := range of {
		if path, _, ok := place(file.Pos()); ok {
			row("file", path)
		}
	}
	for _, object := range info.Defs {
		if kind := kindOf(object); kind != "" {
			if path, line, ok := place(object.Pos()); ok {
				row("decl", path, line, object.Name(), kind)
			}
		}
	}
	receivers := map[*ast.Ident]bool{}
	for _, file := range of {
		for _, declared := range file.Decls {
			if method, ok := declared.(*ast.FuncDecl); ok && method.Recv != nil {
				ast.Inspect(method.Recv, func(node ast.Node) bool {
					if ident, ok := node.(*ast.Ident); ok {
						receivers[ident] = true
					}
					return true
				})
			}
		}
	}
	for ident, object := range info.Uses {
		// A receiver says whose method it is, and is no use of the type.
		if kindOf(object) == "" || receivers[ident] {
			continue
		}
		path, line, ok := place(object.Pos())
		from, at, isHere := place(ident.Pos())
		if ok && isHere {
			row("use", path, line, object.Name(), from, at)
			if kindOf(object) == "interface method" {
				of := path + "\t" + line
				if calls[of] == nil {
					calls[of] = map[[2]string]bool{}
				}
				calls[of][[2]string{from, at}] = true
			}
		}
	}
	return checked
}

// dispatch prints the lines that may call each method of the types through an interface.
func dispatch(of, interfaces []*types.TypeName) {
	for _, one := range interfaces {
		open, ok := one.Type().Underlying().(*types.Interface)
		if !ok {
			continue
		}
		for _, other := range of {
			pointer := types.NewPointer(other.Type())
			if types.IsInterface(other.Type()) || !implements(pointer, open, one) {
				continue
			}
			for i := 0; i < open.NumMethods(); i++ {
				called := open.Method(i)
				found, _, _ := types.LookupFieldOrMethod(pointer, true, called.Pkg(), called.Name())
				method, isMethod := found.(*types.Func)
				if !isMethod {
					continue
				}
				to, at, ok := place(called.Pos())
				path, line, isHere := place(method.Pos())
				if !ok || !isHere {
					continue
				}
				for from := range calls[to+"\t"+at] {
					row("may", path, line, method.Name(), from[0], from[1])
				}
			}
		}
	}
}

// implements reports whether a type has the methods of an interface. Of generic interfaces and
// types, only the names of the methods are compared.
func implements(of *types.Pointer, open *types.Interface, name *types.TypeName) bool {
	isGeneric := func(one types.Type) bool {
		named, ok := one.(*types.Named)
		return ok && named.TypeParams().Len() > 0
	}
	if !isGeneric(of.Elem()) && !isGeneric(name.Type()) {
		return open.NumMethods() > 0 && types.Implements(of, open)
	}
	for i := 0; i < open.NumMethods(); i++ {
		called := open.Method(i)
		found, _, _ := types.LookupFieldOrMethod(of, true, called.Pkg(), called.Name())
		if _, ok := found.(*types.Func); !ok {
			return false
		}
	}
	return open.NumMethods() > 0
}

// named returns the types that a package declares, those in functions too.
func named(info *types.Info) []*types.TypeName {
	var all []*types.TypeName
	for _, object := range info.Defs {
		if one, ok := object.(*types.TypeName); ok && !one.IsAlias() {
			if _, isParameter := one.Type().(*types.TypeParam); !isParameter {
				all = append(all, one)
			}
		}
	}
	return all
}

// kindOf returns the kind of an object that this program reports; empty for any other.
func kindOf(object types.Object) string {
	switch object := object.(type) {
	case *types.Func:
		signature, ok := object.Type().(*types.Signature)
		if !ok || signature.Recv() == nil {
			return "function"
		}
		if types.IsInterface(signature.Recv().Type()) {
			return "interface method"
		}
		return "method"
	case *types.TypeName:
		if object.Pkg() == nil || object.Parent() != object.Pkg().Scope() {
			return ""
		}
		return "type"
	}
	return ""
}

func main() {
	defer out.Flush()
	root, _ = filepath.Abs(os.Args[1])
	var dirs []string
	filepath.Walk(root, func(path string, info os.FileInfo, err error) error {
		if err != nil {
			return nil
		}
		if info.IsDir() {
			name := info.Name()
			if path != root && (strings.HasPrefix(name, ".") || name == "vendor" || name == "testdata") {
				return filepath.SkipDir
			}
			dirs = append(dirs, path)
		} else if info.Name() == "go.mod" {
			text, _ := os.ReadFile(path)
			for _, line := range strings.Split(string(text), "\n") {
				if name := strings.TrimPrefix(line, "module "); name != line {
					modules[strings.Trim(strings.TrimSpace(name), "\"")] = filepath.Dir(path)
				}
			}
		}
		return nil
	})
	for _, dir := range dirs {
		best, path := "", ""
		for module, at := range modules {
			rest, err := filepath.Rel(at, dir)
			if err == nil && !strings.HasPrefix(rest, "..") && len(at) > len(best) {
				best, path = at, strings.TrimSuffix(module+"/"+filepath.ToSlash(rest), "/.")
			}
		}
		if best == "" {
			continue
		}
		plain, internal, external := parse(dir)
		if len(plain) > 0 {
			packages{}.Import(path)
		}
		if len(internal) > 0 {
			check(path, append(plain, internal...))
		}
		if len(external) > 0 {
			check(path+"_test", external)
		}
	}
	// Types of a package are others when it is checked with its tests.
	var shared []*types.TypeName
	for _, info := range checks {
		for _, one := range named(info) {
			if known[one.Pkg().Path()] == one.Pkg() {
				shared = append(shared, one)
			}
		}
	}
	dispatch(shared, shared)
	for _, info := range checks {
		all := named(info)
		if len(all) > 0 && known[all[0].Pkg().Path()] != all[0].Pkg() {
			dispatch(all, all)
			dispatch(all, shared)
			dispatch(shared, all)
		}
	}
}
