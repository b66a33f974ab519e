/// Objects to which links are looked for in the elements of one list.
struct LinkTargets {
  /// In a list of links to one class.
  private let keys: Set<ObjectKey>
  /// In a list of mixed values.
  private let links: Set<ObjectLink>
  /// Each of them as a number, by which a filter knows it.
  let words: [UInt64]

  /// - Parameter classID: The class of all of them.
  init(_ keys: Set<ObjectKey>, of classID: ClassID) {
    self.keys = keys
    links = Set(keys.map { ObjectLink(classID: classID, key: $0) })
    words = keys.map(\.rawValue)
  }

  /// Calls `body` with the number of each link in an element. Links to two classes may have one number.
  static func forEachWord(_ value: StoredValue, _ body: (UInt64) -> Void) {
    if case .link(let key) = value { body(key.rawValue) } else { value.forEachLink { body($0.key.rawValue) } }
  }

  static func forEachWord(_ buffer: ColumnBuffer, _ slot: Int, _ body: (UInt64) -> Void) {
    guard buffer.type != .link else {
      if let key = buffer.link(slot) { body(key.rawValue) }
      return
    }
    if !buffer.isNull(slot) { forEachWord(buffer.value(slot), body) }
  }

  /// Returns true if an element of a chunk is, or holds, one of the links.
  func isIn(_ buffer: ColumnBuffer, _ slot: Int) -> Bool {
    guard buffer.type != .link else { return buffer.link(slot).map(keys.contains) ?? false }
    guard !buffer.isNull(slot) else { return false }
    var found = false
    buffer.value(slot).forEachLink { found = found || links.contains($0) }
    return found
  }
}
