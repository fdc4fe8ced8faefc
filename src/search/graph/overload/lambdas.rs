//! Lambdas: how many parameters one has, and how many a function takes that has a type.

use std::collections::HashMap;

/// The numbers of parameters of the functional interfaces that a repository declares, by name.
pub(crate) type Arities = HashMap<String, usize>;

/// Returns the number of parameters of a function with a type of this name, as far as the
/// repository or Java's library declares it.
pub(super) fn arity(ty: &str, declared: Option<&Arities>) -> Option<usize> {
    declared.and_then(|declared| declared.get(ty)).copied().or_else(|| library_arity(ty))
}

/// The same, for the interfaces of `java.lang`, `java.util`, `java.util.concurrent` and
/// `java.util.function`.
fn library_arity(ty: &str) -> Option<usize> {
    Some(match ty {
        "Callable" | "Runnable" | "Supplier" | "BooleanSupplier" | "DoubleSupplier" | "IntSupplier"
        | "LongSupplier" => 0,
        "BiConsumer"
        | "BiFunction"
        | "BiPredicate"
        | "BinaryOperator"
        | "Comparator"
        | "DoubleBinaryOperator"
        | "IntBinaryOperator"
        | "LongBinaryOperator"
        | "ObjDoubleConsumer"
        | "ObjIntConsumer"
        | "ObjLongConsumer"
        | "ToDoubleBiFunction"
        | "ToIntBiFunction"
        | "ToLongBiFunction" => 2,
        "Consumer"
        | "DoubleConsumer"
        | "DoubleFunction"
        | "DoublePredicate"
        | "DoubleUnaryOperator"
        | "Function"
        | "IntConsumer"
        | "IntFunction"
        | "IntPredicate"
        | "IntUnaryOperator"
        | "LongConsumer"
        | "LongFunction"
        | "LongPredicate"
        | "LongUnaryOperator"
        | "Predicate"
        | "ToDoubleFunction"
        | "ToIntFunction"
        | "ToLongFunction"
        | "UnaryOperator" => 1,
        _ => return None,
    })
}

/// Returns the number of parameters in front of the arrow of a lambda.
pub(super) fn n_parameters(head: &str) -> usize {
    let inside = head.trim().trim_start_matches('(').trim_end_matches(')').trim();
    if inside.is_empty() { 0 } else { inside.split(',').count() }
}
