import LarderStorage

/// The leaf of one column that a Realm read last, and which cluster and generation it belongs to.
///
/// An object whose tag equals the state's tag can read its value from the leaf at once: both were found to be current for the
/// same cluster in the same generation. Advancing, writing and invalidating reset every tag of the Realm.
@frozen
public struct _ColumnState {
  /// Cluster and generation.
  public var tag: UInt64
  /// The pointers to the leaf.
  public var leaf: LeafPointers

  /// Never the tag of an object.
  static let invalid = UInt64.max
}
