extension SortDescriptor {
  /// Sorts by a key path of Swift; text by code points.
  public init<Element>(keyPath: PartialKeyPath<Element>, ascending: Bool = true) where Element: ObjectBase {
    self.init(keyPath: _name(for: keyPath), ascending: ascending)
  }

  /// Sorts by a key path of Swift, text as the collation says.
  public init<Element>(keyPath: PartialKeyPath<Element>, ascending: Bool = true, collation: Collation)
  where Element: ObjectBase {
    self.init(keyPath: _name(for: keyPath), ascending: ascending, collation: collation)
  }
}
