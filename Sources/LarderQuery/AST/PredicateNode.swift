/// A predicate as written: names are not resolved, types are not checked.
///
/// Every front end (format text, programmatic trees) makes these; `Binder` resolves them against a schema.
package indirect enum PredicateNode: Hashable, Sendable {
  /// TRUEPREDICATE or FALSEPREDICATE.
  case constant(Bool)
  /// True when every child is; true without children.
  case and([PredicateNode])
  /// True when a child is; false without children.
  case or([PredicateNode])
  case not(PredicateNode)
  case comparison(ComparisonNode)
}
