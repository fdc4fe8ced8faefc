// Prints what javac knows about source files: their declarations, and where each is used.
//
// Usage: java Oracle.java DIR. One tab-separated row a line, paths relative to DIR:
//
//   file PATH                               a file that was checked
//   decl PATH LINE NAME KIND                a method, constructor or type
//   use  PATH LINE NAME FROM_PATH FROM_LINE the declaration, and a line that uses it
//   may  PATH LINE NAME FROM_PATH FROM_LINE a method, and a line that calls it through a supertype,
//                                           if the object there is of its type
//
// Libraries are not loaded. What depends on their types has no row.

import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.io.*;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;
import javax.lang.model.element.*;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;
import javax.tools.*;

public class Oracle {
    private static Path root;
    private static Trees trees;
    private static JavacTask task;
    private static final Set<String> rows = new LinkedHashSet<>();
    /** The lines that use each method. */
    private static final Map<Element, Set<String>> calls = new HashMap<>();
    /** Methods, and those of their supertypes that they override. */
    private static final Map<Element, Set<Element>> overridden = new LinkedHashMap<>();

    public static void main(String[] arguments) throws IOException {
        root = Paths.get(arguments[0]).toRealPath();
        List<File> files;
        try (Stream<Path> all = Files.walk(root)) {
            files = all.filter(path -> path.toString().endsWith(".java"))
                .filter(path -> !path.endsWith("module-info.java"))
                .filter(path -> !path.endsWith("package-info.java"))
                .filter(path -> !root.relativize(path).toString().startsWith("."))
                .sorted().map(Path::toFile).collect(Collectors.toList());
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null);
        task = (JavacTask) compiler.getTask(null, manager, problem -> {},
            List.of("-proc:none", "-Xmaxerrs", "1000000", "--should-stop=ifError=FLOW",
                "-implicit:none"),
            null, manager.getJavaFileObjectsFromFiles(files));
        trees = Trees.instance(task);
        List<CompilationUnitTree> units = new ArrayList<>();
        task.parse().forEach(units::add);
        task.analyze();
        for (CompilationUnitTree unit : units) {
            row("file", path(unit));
            new Uses(unit).scan(unit, null);
        }
        for (Map.Entry<Element, Set<Element>> one : overridden.entrySet()) {
            TreePath declared = trees.getPath(one.getKey());
            if (declared == null) continue;
            String name = name(one.getKey());
            String file = path(declared.getCompilationUnit());
            String at = file + "\t" + line(declared, name) + "\t" + name;
            for (Element of : one.getValue())
                for (String from : calls.getOrDefault(of, Set.of())) row("may", at, from);
        }
        PrintStream out = new PrintStream(new BufferedOutputStream(System.out), false, "UTF-8");
        rows.forEach(out::println);
        out.flush();
    }

    private static void row(String... fields) {
        rows.add(String.join("\t", fields));
    }

    private static String path(CompilationUnitTree unit) {
        Path file = Paths.get(unit.getSourceFile().toUri());
        return root.relativize(file).toString().replace('\\', '/');
    }

    private static String kind(Element element) {
        if (element == null) return "";
        switch (element.getKind()) {
            case METHOD:
                boolean isOpen = element.getEnclosingElement().getKind().isInterface();
                return isOpen ? "interface method" : "method";
            case CONSTRUCTOR: return "constructor";
            case CLASS: case INTERFACE: case ENUM: case ANNOTATION_TYPE: case RECORD: return "type";
            default: return "";
        }
    }

    /** The name as written: a constructor is called like its type. */
    private static String name(Element element) {
        boolean isConstructor = element.getKind() == ElementKind.CONSTRUCTOR;
        return (isConstructor ? element.getEnclosingElement() : element).getSimpleName().toString();
    }

    /** The line of an element's name: behind its annotations and modifiers. */
    private static long line(TreePath declared, String name) throws IOException {
        CompilationUnitTree unit = declared.getCompilationUnit();
        Tree tree = declared.getLeaf();
        long at = trees.getSourcePositions().getStartPosition(unit, tree);
        ModifiersTree modifiers = tree instanceof MethodTree ? ((MethodTree) tree).getModifiers()
            : tree instanceof ClassTree ? ((ClassTree) tree).getModifiers() : null;
        long end =
            modifiers == null ? -1 : trees.getSourcePositions().getEndPosition(unit, modifiers);
        at = Math.max(at, end);
        if (at < 0) return -1;
        CharSequence text = unit.getSourceFile().getCharContent(true);
        for (int from = (int) at; from < text.length() - name.length(); from++) {
            boolean isName = text.subSequence(from, from + name.length()).toString().equals(name)
                && (from == 0 || !Character.isJavaIdentifierPart(text.charAt(from - 1)))
                && !Character.isJavaIdentifierPart(text.charAt(from + name.length()));
            if (isName) return unit.getLineMap().getLineNumber(from);
        }
        return unit.getLineMap().getLineNumber(at);
    }

    /** Notes which methods of a type override which of its supertypes. */
    private static void overrides(TypeElement type) {
        List<ExecutableElement> own =
            ElementFilter.methodsIn(task.getElements().getAllMembers(type));
        Deque<TypeMirror> left = new ArrayDeque<>(task.getTypes().directSupertypes(type.asType()));
        Set<Element> seen = new HashSet<>();
        while (!left.isEmpty()) {
            TypeMirror one = left.pop();
            Element element = task.getTypes().asElement(one);
            if (element == null || !seen.add(element)) continue;
            left.addAll(task.getTypes().directSupertypes(one));
            for (ExecutableElement other : ElementFilter.methodsIn(element.getEnclosedElements()))
                for (ExecutableElement method : own)
                    if (method != other && method.getSimpleName().equals(other.getSimpleName())
                        && task.getElements().overrides(method, other, type))
                        overridden.computeIfAbsent(method, key -> new LinkedHashSet<>()).add(other);
        }
    }

    private static class Uses extends TreePathScanner<Void, Void> {
        private final CompilationUnitTree unit;

        Uses(CompilationUnitTree unit) {
            this.unit = unit;
        }

        @Override public Void visitClass(ClassTree tree, Void nothing) {
            declared(tree.getSimpleName().length() > 0);
            Element element = trees.getElement(getCurrentPath());
            if (element instanceof TypeElement) overrides((TypeElement) element);
            return super.visitClass(tree, nothing);
        }

        @Override public Void visitMethod(MethodTree tree, Void nothing) {
            declared(trees.getSourcePositions().getEndPosition(unit, tree) > 0);
            return super.visitMethod(tree, nothing);
        }

        private void declared(boolean isWritten) {
            Element element = trees.getElement(getCurrentPath());
            if (!isWritten || kind(element).isEmpty()) return;
            try {
                long line = line(getCurrentPath(), name(element));
                if (line > 0) row("decl", path(unit), "" + line, name(element), kind(element));
            } catch (IOException error) {
                throw new UncheckedIOException(error);
            }
        }

        @Override public Void visitImport(ImportTree tree, Void nothing) {
            return null;
        }

        @Override public Void visitIdentifier(IdentifierTree tree, Void nothing) {
            used(trees.getSourcePositions().getStartPosition(unit, tree), null);
            return super.visitIdentifier(tree, nothing);
        }

        @Override public Void visitMemberSelect(MemberSelectTree tree, Void nothing) {
            long end = trees.getSourcePositions().getEndPosition(unit, tree);
            used(end - tree.getIdentifier().length(), null);
            return super.visitMemberSelect(tree, nothing);
        }

        @Override public Void visitMemberReference(MemberReferenceTree tree, Void nothing) {
            used(trees.getSourcePositions().getEndPosition(unit, tree) - 1, null);
            return super.visitMemberReference(tree, nothing);
        }

        @Override public Void visitNewClass(NewClassTree tree, Void nothing) {
            used(trees.getSourcePositions().getStartPosition(unit, tree.getIdentifier()),
                trees.getElement(getCurrentPath()));
            return super.visitNewClass(tree, nothing);
        }

        private void used(long at, Element known) {
            Element element = known != null ? known : trees.getElement(getCurrentPath());
            if (kind(element).isEmpty() || at < 0) return;
            uses(at, element);
            // `super(…)` and `this(…)` use the type, too, as `new Shop()` does.
            if (element.getKind() == ElementKind.CONSTRUCTOR)
                uses(at, element.getEnclosingElement());
        }

        private void uses(long at, Element element) {
            TreePath declared = trees.getPath(element);
            if (declared == null) return;
            try {
                long line = line(declared, name(element));
                String from = "" + unit.getLineMap().getLineNumber(at);
                String file = path(declared.getCompilationUnit());
                if (line <= 0) return;
                row("use", file, "" + line, name(element), path(unit), from);
                calls.computeIfAbsent(element, key -> new LinkedHashSet<>())
                    .add(path(unit) + "\t" + from);
            } catch (IOException error) {
                throw new UncheckedIOException(error);
            }
        }
    }
}
