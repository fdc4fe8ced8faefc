// Prints what the TypeScript compiler knows about a project: declarations, and where each is used.
//
// Usage: node oracle.js DIR, with the package `typescript` in NODE_PATH. One tab-separated row a
// line, paths relative to DIR:
//
//   file PATH                               a file that was checked
//   dark PATH LINE                          a line of an import or export; it is not a use
//   decl PATH LINE NAME KIND                a function, method, class, interface or type
//   use  PATH LINE NAME FROM_PATH FROM_LINE the declaration, and a line that uses it
//   may  PATH LINE NAME FROM_PATH FROM_LINE a method, and a line that calls it through a supertype,
//                                           if the object there is of its type
//
// Packages from outside are not installed. What depends on their types has no row.
const ts = require("typescript");
const fs = require("fs");
const path = require("path");

const root = fs.realpathSync(process.argv[2]);
const skipped = new Set(["node_modules", "dist", "build", "lib", "out", "coverage"]);

function sources(folder, found) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const name = entry.name;
    const full = path.join(folder, name);
    if (entry.isDirectory()) {
      if (!name.startsWith(".") && !skipped.has(name)) sources(full, found);
    } else if (/\.(ts|tsx|mts|cts)$/.test(name) && !name.endsWith(".d.ts")) {
      found.push(full);
    }
  }
  return found;
}

// Workspace packages, by name: imports of them lead to their sources.
function workspaces(folder, found) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!entry.name.startsWith(".") && entry.name !== "node_modules") workspaces(full, found);
    } else if (entry.name === "package.json") {
      try {
        const name = JSON.parse(fs.readFileSync(full, "utf8")).name;
        const here = path.dirname(full);
        const index = ["src/index.ts", "src/index.tsx", "index.ts", "index.tsx"]
          .map((one) => path.join(here, one)).find((one) => fs.existsSync(one));
        if (name && index) {
          found[name] = [index];
          found[name + "/*"] = [path.join(here, "src", "*"), path.join(here, "*")];
        }
      } catch {}
    }
  }
  return found;
}

// Path aliases of all projects, which their settings declare.
function aliases(folder, found) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!entry.name.startsWith(".") && entry.name !== "node_modules") aliases(full, found);
    } else if (/^tsconfig.*\.json$/.test(entry.name)) {
      const options = (ts.readConfigFile(full, ts.sys.readFile).config || {}).compilerOptions || {};
      const base = path.join(folder, options.baseUrl || ".");
      for (const [name, targets] of Object.entries(options.paths || {})) {
        if (!found[name]) found[name] = [];
        for (const target of targets) {
          const whole = path.join(base, target);
          if (!found[name].includes(whole)) found[name].push(whole);
        }
      }
    }
  }
  return found;
}

const files = sources(root, []);
const program = ts.createProgram(files, {
  allowJs: false, noEmit: true, skipLibCheck: true, strict: true, jsx: ts.JsxEmit.Preserve,
  target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler, allowImportingTsExtensions: true,
  baseUrl: root, paths: aliases(root, workspaces(root, {})), types: [],
});
const checker = program.getTypeChecker();
const own = new Set(files);
const rows = new Set();
const row = (...fields) => rows.add(fields.join("\t"));
const relative = (file) => path.relative(root, file.fileName).split(path.sep).join("/");
const lineOf = (file, at) => file.getLineAndCharacterOfPosition(at).line + 1;

function kindOf(declaration) {
  if (ts.isFunctionDeclaration(declaration)) return "function";
  if (ts.isMethodDeclaration(declaration)) return "method";
  if (ts.isMethodSignature(declaration)) return "interface method";
  if (
    ts.isClassDeclaration(declaration) ||
    ts.isInterfaceDeclaration(declaration) ||
    ts.isTypeAliasDeclaration(declaration) ||
    ts.isEnumDeclaration(declaration)
  )
    return "type";
  const isFunction =
    ts.isVariableDeclaration(declaration) &&
    declaration.initializer &&
    (ts.isArrowFunction(declaration.initializer) ||
      ts.isFunctionExpression(declaration.initializer));
  const isTop =
    isFunction &&
    ts.isVariableStatement(declaration.parent.parent) &&
    ts.isSourceFile(declaration.parent.parent.parent);
  return isTop ? "function" : "";
}

// The declarations of members of supertypes -> the methods of classes that stand for them.
const overriders = new Map();

// Notes what the methods of a class stand for.
function noteOverrides(node) {
  if (ts.isClassLike(node)) {
    for (const member of node.members) {
      if (!ts.isMethodDeclaration(member) || !ts.isIdentifier(member.name)) continue;
      const left = [node];
      const seen = new Set();
      while (left.length) {
        for (const clause of left.pop().heritageClauses || []) {
          for (const written of clause.types) {
            const type = checker.getTypeAtLocation(written);
            const found = type.getProperty(member.name.text);
            for (const declaration of (found && found.declarations) || []) {
              if (!overriders.has(declaration)) overriders.set(declaration, new Set());
              if (declaration !== member) overriders.get(declaration).add(member);
            }
            for (const declaration of (type.symbol && type.symbol.declarations) || []) {
              if (!seen.has(declaration)) left.push(declaration);
              seen.add(declaration);
            }
          }
        }
      }
    }
  }
  ts.forEachChild(node, noteOverrides);
}

function visit(file, node) {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
    for (
      let line = lineOf(file, node.getStart(file));
      line <= lineOf(file, node.getEnd());
      line++
    ) {
      row("dark", relative(file), line);
    }
    return;
  }
  if (ts.isIdentifier(node)) {
    const isName = node.parent.name === node && kindOf(node.parent);
    if (isName) {
      row("decl", relative(file), lineOf(file, node.getStart(file)), node.text, isName);
    } else {
      // The name of `{ name }` is a property and a value.
      const isShort = ts.isShorthandPropertyAssignment(node.parent) && node.parent.name === node;
      let symbol = isShort
        ? checker.getShorthandAssignmentValueSymbol(node.parent)
        : checker.getSymbolAtLocation(node);
      if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
      for (const declaration of (symbol && symbol.declarations) || []) {
        for (const member of overriders.get(declaration) || []) {
          const its = member.getSourceFile();
          if (!own.has(its.fileName)) continue;
          row("may", relative(its), lineOf(its, member.name.getStart(its)), member.name.text,
            relative(file), lineOf(file, node.getStart(file)));
        }
        const other = declaration.getSourceFile();
        if (!kindOf(declaration) || !own.has(other.fileName) || !declaration.name) continue;
        row("use", relative(other), lineOf(other, declaration.name.getStart(other)),
          declaration.name.getText(other), relative(file), lineOf(file, node.getStart(file)));
      }
    }
  }
  // `super(…)` uses the class, as `new Shop()` does.
  if (node.kind === ts.SyntaxKind.SuperKeyword && ts.isCallExpression(node.parent)) {
    const symbol = checker.getTypeAtLocation(node).symbol;
    for (const declaration of (symbol && symbol.declarations) || []) {
      const other = declaration.getSourceFile();
      if (!kindOf(declaration) || !own.has(other.fileName) || !declaration.name) continue;
      row("use", relative(other), lineOf(other, declaration.name.getStart(other)),
        declaration.name.getText(other), relative(file), lineOf(file, node.getStart(file)));
    }
  }
  ts.forEachChild(node, (child) => visit(file, child));
}

for (const file of program.getSourceFiles()) {
  if (own.has(file.fileName)) noteOverrides(file);
}
for (const file of program.getSourceFiles()) {
  if (!own.has(file.fileName)) continue;
  row("file", relative(file));
  visit(file, file);
}
process.stdout.write([...rows].join("\n") + "\n");
