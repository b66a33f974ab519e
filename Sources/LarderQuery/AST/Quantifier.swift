/// The demand of a comparison on the values that a path through a collection reaches.
package enum Quantifier: String, Hashable, Sendable, CaseIterable {
  /// ANY or SOME: at least one value.
  case any = "ANY"
  /// NONE: no value.
  case none = "NONE"
  /// ALL: every value, and so true for none.
  case all = "ALL"
}
