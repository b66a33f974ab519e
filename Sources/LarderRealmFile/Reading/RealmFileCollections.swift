/// The collections of one property of neighbouring objects, which are read piece by piece. Safe for any number of threads.
public struct RealmFileCollections: Sendable {
  let references: [Int64]
  let collection: RealmFileProperty.Collection
  let kind: LeafKind
  let hasIntegerKeys: Bool
  let reader: ValueReader

  /// The number of collections, one for each object.
  public var count: Int { references.count }

  /// Returns true if an object's collection has never had an element. An empty one may also give false.
  public func isUnused(of row: Int) -> Bool { references[row] == 0 }

  /// Calls with the elements of a list or set in their order, up to some thousand at a time.
  ///
  /// Elements that link to what never arrived are left out.
  ///
  /// - Throws: `RealmFileError`, and what `body` throws.
  public func forEachChunk(of row: Int, _ body: (RealmFileColumn) throws -> Void) throws {
    precondition(collection != .dictionary, "a dictionary has entries, not elements; call entries(of:)")
    guard let root = try root(row) else { return }
    var visits = Visits()
    try reader.forEachLeaf(root, kind, &visits) { column, _ in
      guard column.count > 0 else { return }
      if case .links(let keys, let target) = column {
        try body(.links(keys.filter { $0 != nil }, classIndex: target))
      } else {
        try body(column)
      }
    }
  }

  /// The entries of a dictionary, ascending by the bytes of their keys.
  ///
  /// - Throws: `RealmFileError`.
  public func entries(of row: Int) throws -> [RealmFileEntry] {
    precondition(collection == .dictionary, "a list or set has elements, not entries; call forEachChunk(of:)")
    var visits = Visits()
    return try entries(row, &visits)
  }

  private func entries(_ row: Int, _ visits: inout Visits) throws -> [RealmFileEntry] {
    guard let root = try root(row) else { return [] }
    return try reader.entries(root, hasIntegerKeys: hasIntegerKeys, nested: 0, &visits)
  }

  /// The whole collection of one object: a list, set or dictionary. One of more than 16,777,216 elements throws.
  ///
  /// - Throws: `RealmFileError`.
  public func value(of row: Int) throws -> RealmFileValue {
    var visits = Visits()
    return try value(row, &visits)
  }

  func value(_ row: Int, _ visits: inout Visits) throws -> RealmFileValue {
    if collection == .dictionary { return .dictionary(try entries(row, &visits)) }
    let elements = try root(row).map { try reader.elements($0, kind, &visits) } ?? []
    return collection == .set ? .set(elements) : .list(elements)
  }

  func root(_ row: Int) throws -> Int? { try reader.nodes.optionalReference(references[row], "a collection") }
}
