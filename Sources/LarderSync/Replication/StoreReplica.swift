import LarderStorage
import LarderSyncProtocol

/// The objects of a store as a device changes them. There is a transaction while it does so; without one there are no objects.
///
/// Classes and properties that the store does not know are left out: a server may have more than this program.
struct StoreReplica: DeviceStore {
  var transaction: ReplicaTransaction?

  /// The column for what `Device` keeps of an object: with the objects of the class, for no property of their own.
  static let detailsColumn = ColumnID.presence

  var objects: [ObjectName] {
    transaction.map { $0.catalog.names.flatMap { objects(of: $0, after: nil, through: nil) } } ?? []
  }

  func objects(of className: SyncText, after: PrimaryKey?, through: PrimaryKey?) -> [ObjectName] {
    guard let transaction, let entry = transaction.catalog[className], let column = entry.primaryKey else { return [] }
    return transaction.attempt([]) {
      let keys = try transaction.keys(of: entry, column, after: after, through: through)
      return try keys.compactMap { key in
        let value = PrimaryKey(try transaction.writer.value(entry.descriptor.id, column.id, key))
        guard let value, after.map({ $0 < value }) ?? true, through.map({ value <= $0 }) ?? true else { return nil }
        let name = ObjectName(className: className, key: value)
        return try transaction.link(of: name) == nil ? nil : name
      }
    }
  }

  func contains(_ object: ObjectName) -> Bool {
    transaction.map { transaction in transaction.attempt(false) { try transaction.link(of: object) != nil } } ?? false
  }

  func details(of object: ObjectName) -> [UInt8]? {
    guard let transaction else { return nil }
    return transaction.attempt(nil) {
      guard transaction.catalog[object.className]?.hasNames == true,
        let link = try transaction.formerLink(of: object)
      else { return nil }
      return try SyncWriting(transaction.writer).elements(link, Self.detailsColumn)
    }
  }

  func value(_ object: ObjectName, _ path: LocalPath) -> SyncValue? {
    guard let transaction else { return nil }
    return transaction.attempt(nil) {
      guard let slot = try transaction.slot(object, path) else { return nil }
      if case .property(let link, let column) = slot { return try transaction.objects.value(of: column, link) }
      return try transaction.stored(slot).map { try transaction.objects.converted($0, slot.column) }
    }
  }

  mutating func replace(_ object: ObjectName, with properties: [SyncProperty]?) {
    guard let transaction else { return }
    transaction.attempt {
      guard let properties else { return try transaction.delete(object) }
      if let link = try transaction.link(of: object) {
        try transaction.assign(properties, to: link, isNew: false)
      } else if let entry = transaction.catalog[object.className] {
        transaction.count()
        try transaction.assign(properties, to: try transaction.create(object, entry), isNew: true)
      }
    }
  }

  mutating func set(_ object: ObjectName, _ path: LocalPath, _ value: SyncValue) {
    edit(object, path, value) { try $0.assign(value, $1) }
  }

  mutating func removeKey(_ key: SyncText, _ object: ObjectName, _ path: LocalPath) {
    edit(object, path) { try $0.removeKey(key.string, $1) }
  }

  mutating func setMember(_ value: SyncValue, isPresent: Bool, _ object: ObjectName, _ path: LocalPath) {
    edit(object, path, value) { try $0.setMember(value, isPresent: isPresent, $1) }
  }

  mutating func removeAll(_ object: ObjectName, _ path: LocalPath) { edit(object, path) { try $0.removeAll($1) } }

  mutating func insert(_ values: [SyncValue], at index: Int, _ object: ObjectName, _ path: LocalPath) {
    edit(object, path) { try $0.insert(values, at: index, $1) }
  }

  mutating func remove(at index: Int, _ object: ObjectName, _ path: LocalPath) {
    edit(object, path) { try $0.remove(at: index, $1) }
  }

  mutating func move(from: Int, to: Int, _ object: ObjectName, _ path: LocalPath) {
    edit(object, path) { try $0.move(from: from, to: to, $1) }
  }

  /// - Parameter value: What comes, if it is one value.
  private func edit(
    _ object: ObjectName, _ path: LocalPath, _ value: SyncValue? = nil,
    _ body: (ReplicaTransaction, StoreSlot) throws -> Void
  ) {
    guard let transaction else { return }
    transaction.attempt {
      guard let slot = try transaction.slot(object, path) else { return }
      try transaction.leavingOut(value, slot.column, slot.link) { try body(transaction, slot) }
    }
  }
}

extension ReplicaTransaction {
  /// The keys of the objects of a class whose primary keys are in a range; of some more where the index has no order.
  fileprivate func keys(
    of entry: SyncCatalog.Entry, _ column: ColumnDescriptor, after: PrimaryKey?, through: PrimaryKey?
  ) throws -> [ObjectKey] {
    let id = entry.descriptor.id
    if after != nil || through != nil, let index = try writer.index(id, column.id), index.isOrdered {
      let lower = after.map { IndexBound.exclusive(StoredValue($0)) } ?? .unbounded
      let upper = through.map { IndexBound.inclusive(StoredValue($0)) } ?? .unbounded
      return try index.keys(from: lower, to: upper).filter { try writer.contains(id, $0) }
    }
    var keys: [ObjectKey] = []
    try writer.forEachKey(id) { keys.append($0) }
    return keys
  }
}
