/// What a comparison asks of the values that a path through a collection reaches.
package enum Quantifier: String, Hashable, Sendable {
  /// ANY or SOME: at least one value.
  case any = "ANY"
  /// NONE: no value.
  case none = "NONE"
}
