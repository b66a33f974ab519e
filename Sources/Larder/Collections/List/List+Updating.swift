import LarderStorage

extension List {
  /// Brings a managed list of objects to values position by position, as `.modified` asks for (O-45, O-46): an object without a
  /// primary key is updated where it is, others are linked if they are not yet; the rest is removed or appended. False when a
  /// value does not fit.
  func merge(
    _ values: [Any], _ location: CollectionLocation, _ target: _ClassCursor, _ maker: any ObjectMaker
  ) throws -> Bool {
    let current = try location.values()
    for (position, value) in values.enumerated() {
      let existing = position < current.count ? current[position] : .null
      if case .link(let key) = existing, try maker.merge(value, into: key, target) { continue }
      guard let object = try maker.linked(value, target),
        let element = object as? Element ?? Element._rlmFromObjc(object, insideOptional: false)
      else { return false }
      if position >= current.count {
        try location.insert([element], at: position)
      } else if target.model.isEmbedded || existing != .link(location.host.linkKey(for: object)) {
        try location.replace(at: position, element)
      }
    }
    if values.count < current.count { try location.remove(values.count..<current.count) }
    return true
  }

  /// Brings a managed list of plain values to others, touching only the positions that differ.
  func merge(_ values: [StoredValue], _ location: CollectionLocation) throws {
    let current = try location.values()
    if location.nested != nil {
      if values != current { _ = try location.editNested { .assign(.list(StoredList(values))) } }
      return
    }
    try location.write { writer, classID, column, key in
      for position in 0..<Swift.min(values.count, current.count) where values[position] != current[position] {
        try writer.lists.set(classID, column, key, at: position, values[position])
      }
      if values.count < current.count {
        try writer.lists.remove(classID, column, key, values.count..<current.count)
      } else if values.count > current.count {
        try writer.lists.insert(classID, column, key, at: current.count, Array(values[current.count...]))
      }
    }
  }
}
