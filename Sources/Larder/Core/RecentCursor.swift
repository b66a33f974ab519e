/// The class that a Realm was asked for last, with its cursor: adding many objects of one class takes no lock and hashes nothing.
struct RecentCursor {
  private var type: ObjectIdentifier?
  // The Realm owns its cursors. Handing them out unmanaged counts no reference for each object that is added.
  private var cursor: Unmanaged<_ClassCursor>?

  /// Returns true if the class was the last one asked for.
  @inline(__always)
  func isFor(_ type: ObjectBase.Type) -> Bool { self.type == ObjectIdentifier(type) }

  /// The cursor of a class; nil when another class was asked for last.
  @inline(__always)
  func find(_ type: ObjectBase.Type) -> Unmanaged<_ClassCursor>? { isFor(type) ? cursor : nil }

  mutating func note(_ cursor: _ClassCursor, for type: ObjectBase.Type) {
    self.type = ObjectIdentifier(type)
    self.cursor = Unmanaged.passUnretained(cursor)
  }
}
