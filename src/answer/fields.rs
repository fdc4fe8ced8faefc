//! The constructor that a class of Python gets from its fields: the text of a class → a signature.
//!
//! `@dataclass`, `attrs`, `NamedTuple` and the models of pydantic make the parameters of
//! `__init__` of the fields, in their order. Pure functions on the text. Fields of a base class are
//! not known here.

/// Decorators that make a constructor of the fields, without their module.
const DECORATORS: [&str; 6] = ["dataclass", "attrs", "attr.s", "define", "frozen", "mutable"];

/// Returns the signature of the constructor that a class gets from its fields; `None` if it gets
/// none. `before` is the text of its decorators, `head` its signature, and `body` all of its body.
pub(super) fn constructor_of_fields(before: &str, head: &str, body: &str) -> Option<String> {
    let decorator = before.lines().map(str::trim).find(|line| {
        let name = line.strip_prefix('@').unwrap_or_default();
        let name = name.split('(').next().unwrap_or_default().trim();
        DECORATORS.iter().any(|one| name == *one || name.rsplit('.').next() == Some(one))
    });
    let bases = head.split_once('(').map_or("", |(_, bases)| bases);
    let has_base = |name: &str| bases.split(|c: char| !c.is_alphanumeric()).any(|one| one == name);
    let is_model = has_base("BaseModel");
    if decorator.is_none() && !is_model && !has_base("NamedTuple") || body.contains("def __init__(") {
        return None;
    }
    let is_named = is_model || decorator.is_some_and(|text| text.replace(' ', "").contains("kw_only=True"));
    let name = head.trim_start().strip_prefix("class")?.trim_start();
    let name = name.split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
    let mut parameters: Vec<String> = Vec::new();
    let mut is_open = is_named;
    if is_named {
        parameters.push("*".to_owned());
    }
    for field in fields(body) {
        if field.ends_with(": KW_ONLY") && !is_open {
            is_open = true;
            parameters.push("*".to_owned());
        } else {
            parameters.extend(parameter(field));
        }
    }
    let has_fields = parameters.iter().any(|one| one != "*");
    has_fields.then(|| format!("def {name}({}):", parameters.join(", ")))
}

/// The lines of a body that declare a field: `name: type` at the depth of the body.
fn fields(body: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut quote: Option<&str> = None;
    // The first line of a body may begin behind its indentation.
    let mut lines = body.lines().filter(|line| !line.trim().is_empty()).peekable();
    let first = lines.peek().copied().unwrap_or_default();
    let depth_of = |line: &str| line.len() - line.trim_start().len();
    let depth = body.lines().skip(1).filter(|line| !line.trim().is_empty()).map(depth_of).min();
    let depth = depth.unwrap_or_default().max(depth_of(first));
    for (at, line) in lines.enumerate() {
        if let Some(mark) = quote {
            quote = quote.filter(|_| !line.contains(mark));
            continue;
        }
        let code = line.trim();
        if let Some(mark) = ["\"\"\"", "'''"].into_iter().find(|mark| code.contains(mark)) {
            quote = (code.matches(mark).count() % 2 == 1).then_some(mark);
            continue;
        }
        let (name, rest) = code.split_once(':').unwrap_or_default();
        let is_name = !name.is_empty() && name.trim().chars().all(|c| c.is_alphanumeric() || c == '_');
        if is_name && !rest.trim().is_empty() && (at == 0 || depth_of(line) == depth) {
            found.push(code);
        }
    }
    found
}

/// The parameter of a field; `None` if it has none.
fn parameter(field: &str) -> Option<String> {
    let field = field.split(" #").next().unwrap_or(field).trim_end();
    let (name, rest) = field.split_once(':')?;
    let (kind, value) = rest.split_once('=').map_or((rest, None), |(kind, value)| (kind, Some(value.trim())));
    let kind = kind.trim();
    let written = value.unwrap_or_default().replace(' ', "");
    if kind.contains("ClassVar") || written.contains("init=False") {
        return None;
    }
    // `field()` has a default value only if it says so.
    let is_call = ["field(", "Field(", "ib("].iter().any(|call| written.contains(call));
    let is_default = ["default=", "factory="].iter().any(|word| written.contains(word));
    let is_required =
        is_call && !is_default && (!written.contains("Field(") || written.contains("Field(..."));
    let default = if value.is_some() && !is_required { " = ..." } else { "" };
    Some(format!("{}: {kind}{default}", name.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_the_parameters_of_a_constructor() {
        for (before, head, body, expected) in [
            (
                "@dataclass\n",
                "class Conf:",
                "\"\"\"A.\n\n    Note: a text\n    \"\"\"\n    host: str\n    port: int = 80\n    n: ClassVar[int] = 1\n\n    def f(self):\n        x: int = 1\n",
                Some("def Conf(host: str, port: int = ...):"),
            ),
            ("", "class NT(NamedTuple):", "a: int\n    b: int", Some("def NT(a: int, b: int):")),
            (
                "@dataclasses.dataclass(frozen=True, kw_only=True)\n",
                "class A(B):",
                "a: list = field(default_factory=list)\n    b: int = field(repr=False)",
                Some("def A(*, a: list = ..., b: int):"),
            ),
            ("@dataclass\n", "class A:", "a: int\n    def __init__(self):\n        pass", None),
            ("@final\n", "class A:", "a: int", None),
            ("@dataclass\n", "class A:", "pass", None),
        ] {
            let found = constructor_of_fields(before, head, body);
            assert_eq!(found.as_deref(), expected, "{head}");
        }
    }
}
