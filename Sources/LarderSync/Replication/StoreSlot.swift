import LarderStorage
import LarderSyncProtocol

/// A place of a store that holds a value.
enum StoreSlot {
  /// A property of an object or an embedded object.
  case property(ObjectLink, ColumnDescriptor)
  /// An element of a property's list.
  case element(ObjectLink, ColumnDescriptor, Int)
  /// A key of a property's map.
  case entry(ObjectLink, ColumnDescriptor, String)
  /// Within a mixed value: the path begins in the property's own collection if it has one, and is not empty.
  case nested(ObjectLink, ColumnDescriptor, [MixedStep])

  var link: ObjectLink {
    switch self {
    case .property(let link, _), .element(let link, _, _), .entry(let link, _, _), .nested(let link, _, _): link
    }
  }

  var column: ColumnDescriptor {
    switch self {
    case .property(_, let column), .element(_, let column, _), .entry(_, let column, _), .nested(_, let column, _):
      column
    }
  }

  /// The path of a list or map in the slot within mixed values; nil for a property's own collection.
  var mixedPath: [MixedStep]? {
    switch self {
    case .property(_, let column): column.collection == .none ? [] : nil
    case .element(_, _, let index): [.position(index)]
    case .entry(_, _, let key): [.key(key)]
    case .nested(_, _, let path): path
    }
  }
}

extension ReplicaTransaction {
  /// The place that a path leads to; nil when the store's schema does not know one of its names.
  ///
  /// - Throws: `ReplicaError.place` when there is no embedded object on the way.
  func slot(_ object: ObjectName, _ path: LocalPath) throws -> StoreSlot? {
    guard let link = try link(of: object), let entry = catalog[object.className],
      let column = entry.columnsByName[path.property]
    else { return nil }
    var slot = StoreSlot.property(link, column)
    for step in path.steps {
      if case .property = step, try embedded(slot) == nil { throw ReplicaError.place(object, path) }
      guard let next = try self.step(step, from: slot) else { return nil }
      slot = next
    }
    return slot
  }

  private func step(_ step: LocalStep, from slot: StoreSlot) throws -> StoreSlot? {
    switch (step, slot) {
    case (.property(let name), _):
      guard let child = try embedded(slot), let column = catalog[child.classID]?.columnsByName[name] else { return nil }
      return .property(child, column)
    case (.index(let index), .property(let link, let column)) where column.collection == .list:
      return .element(link, column, index)
    case (.key(let key), .property(let link, let column)) where column.collection == .map:
      return .entry(link, column, key.string)
    case (.index(let index), _):
      return slot.mixedPath.map { .nested(slot.link, slot.column, $0 + [.position(index)]) }
    case (.key(let key), _):
      return slot.mixedPath.map { .nested(slot.link, slot.column, $0 + [.key(key.string)]) }
    }
  }

  /// The embedded object in a slot.
  func embedded(_ slot: StoreSlot) throws -> ObjectLink? {
    guard let target = slot.column.target, catalog[target]?.descriptor.isEmbedded ?? false else { return nil }
    guard case .link(let key)? = try stored(slot) else { return nil }
    return ObjectLink(classID: target, key: key)
  }

  /// Returns the value that is stored in a slot; nil where there is none. Collections of properties have no value of their own.
  func stored(_ slot: StoreSlot) throws -> StoredValue? {
    switch slot {
    case .property(let link, let column):
      return column.collection == .none ? try writer.unfilteredValue(link.classID, column.id, link.key) : nil
    case .element(let link, let column, let index):
      let list = try writer.list(link.classID, column.id, link.key)
      return index >= 0 && index < list.count ? try list.value(at: index) : nil
    case .entry(let link, let column, let key):
      return try writer.map(link.classID, column.id, link.key).value(of: key)
    case .nested(let link, let column, let path):
      guard let last = path.last,
        let collection = try writer.nested(link.classID, column.id, link.key, path: Array(path.dropLast()))
      else { return nil }
      return collection.value.child(last)
    }
  }
}
