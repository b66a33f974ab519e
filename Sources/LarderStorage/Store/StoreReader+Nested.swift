/// A list or dictionary within a mixed value, as found.
package struct NestedCollection: Sendable {
  /// From the property on; begins with a step into the property's own list or map when it is one.
  package var path: [MixedStep]
  /// A `.list` or `.dictionary`, whole.
  package var value: StoredValue

  /// Tells the collection from any that took its place.
  package var id: UInt64 { value.collectionID ?? 0 }
}

extension StoreReader {
  /// Finds a list or dictionary within mixed values.
  ///
  /// With an id it is that collection, wherever edits around it have moved it, and nil once it was removed or replaced;
  /// `path` only says where to look first. Without one it is what is at the path. Costs the size of the value that it is in,
  /// and when a list was edited before it, of the list.
  package func nested(
    _ classID: ClassID, _ column: ColumnID, _ key: ObjectKey, path: [MixedStep], id: UInt64? = nil
  ) throws -> NestedCollection? {
    let descriptor = try descriptor(classID, column)
    guard descriptor.type == .mixed else { return nil }
    func found(_ value: StoredValue?, _ path: [MixedStep]) -> NestedCollection? {
      guard let value, let own = value.collectionID, id == nil || own == id else { return nil }
      return NestedCollection(path: path, value: value)
    }
    let rest = descriptor.collection == .none ? path[...] : path.dropFirst()
    let hinted = try root(descriptor, classID, key, path.first)
    if let direct = found(hinted?.child(at: rest), path) { return direct }
    guard let id else { return nil }
    func search(_ root: StoredValue, _ start: [MixedStep]) -> NestedCollection? {
      root.path(toCollection: id).flatMap { found(root.child(at: $0[...]), start + $0) }
    }
    switch descriptor.collection {
    case .none: return try search(value(classID, column, key), [])
    case .set: return nil
    case .list:
      let list = try list(classID, column, key)
      for position in 0..<list.count {
        if let result = search(try list.value(at: position), [.position(position)]) { return result }
      }
    case .map:
      let map = try map(classID, column, key)
      for position in 0..<map.count {
        if let result = search(try map.value(at: position), [.key(try map.key(at: position))]) { return result }
      }
    }
    return nil
  }

  /// The mixed value that the first step of a path leads to.
  private func root(
    _ column: ColumnDescriptor, _ classID: ClassID, _ key: ObjectKey, _ first: MixedStep?
  ) throws -> StoredValue? {
    switch (column.collection, first) {
    case (.none, _): return try value(classID, column.id, key)
    case (.list, .position(let position)):
      let list = try list(classID, column.id, key)
      return position >= 0 && position < list.count ? try list.value(at: position) : nil
    case (.map, .key(let mapKey)): return try map(classID, column.id, key).value(of: mapKey)
    default: return nil
    }
  }
}
