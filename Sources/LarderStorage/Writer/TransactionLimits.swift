import LarderSyncProtocol

/// Looks at the operations of a transaction before it is committed: what no server can hold is refused while the program can still do something about
/// it (`SyncLimit`).
struct TransactionLimits {
  private let schema: StoreSchema
  private let path: String
  private var weight = TransactionWeight.zero
  private var checkedColumns: Set<ColumnPlace> = []

  private struct ColumnPlace: Hashable {
    let classID: ClassID
    let column: ColumnID
  }

  init(_ schema: StoreSchema, path: String) {
    self.schema = schema
    self.path = path
  }

  /// - Throws: `.valueTooLarge` for a name, a key, or a value that is above a limit.
  mutating func take(_ operation: StoreOperation) throws {
    weight += operation.weight
    // A class is checked object by object, and what is deleted needs nothing.
    switch operation.change {
    case .delete, .everything: return
    default: break
    }
    do throws(SyncLimitExceeded) {
      try operation.object.checkLimits()
      let object = operation.object.depth
      switch operation.change {
      case .create(_, let properties):
        for property in properties {
          try checkName(property.column, of: operation.object)
          try property.value.checkLimits(within: object)
        }
      case .set(let column, let value):
        try checkName(column, of: operation.object)
        try value.checkLimits(within: object)
      case .list(let place, _, let values):
        try checkName(place.column, of: operation.object)
        try SyncLimit.depth.check(object + place.path.count + 1)
        for value in values { try value.checkLimits(within: object + place.path.count + 1) }
      case .insertIntoSet(let column, let values):
        try checkName(column, of: operation.object)
        for value in values { try value.checkLimits(within: object + 1) }
      case .put(let place, let key, let value):
        try checkName(place.column, of: operation.object)
        try SyncLimit.mapKey.check(key.utf8.count)
        try value.checkLimits(within: object + place.path.count + 1)
      case .add, .removeFromSet, .clearSet, .removeKey, .clearMap, .delete, .everything: break
      }
    } catch {
      throw refusal(error, operation.object)
    }
  }

  /// Looks at the names of a class and a property once.
  private mutating func checkName(_ column: ColumnID, of object: OperationObject) throws(SyncLimitExceeded) {
    let place = ColumnPlace(classID: object.target.classID, column: column)
    guard checkedColumns.insert(place).inserted, let owner = schema[place.classID] else { return }
    try SyncLimit.className.check(owner.name.utf8.count)
    if let property = owner.column(column) { try SyncLimit.propertyName.check(property.name.utf8.count) }
  }

  private func refusal(_ exceeded: SyncLimitExceeded, _ object: OperationObject) -> StorageError {
    StorageError(
      .valueTooLarge,
      "\(exceeded) It is of \(name(object.root, object.primaryKey)). Nothing of the transaction was stored.",
      path: path, className: schema[object.target.classID]?.name, key: object.target.key)
  }

  private func name(_ link: ObjectLink, _ primaryKey: StoredValue) -> String {
    "'\(schema[link.classID]?.name ?? "?")' \(primaryKey.shortDescription)"
  }

  /// Looks whether what was taken, which is all of one object, can be sent.
  ///
  /// - Throws: `.transactionTooLarge`.
  func verify(_ object: OperationObject) throws {
    do throws(SyncLimitExceeded) { try weight.check() } catch {
      throw StorageError(
        .transactionTooLarge,
        "\(name(object.root, object.primaryKey)) cannot be synchronised: \(error) Nothing of the transaction was stored.",
        path: path, className: schema[object.root.classID]?.name, key: object.root.key)
    }
  }

  /// Looks whether a transaction that is too large for one message can be sent as several.
  ///
  /// - Parameter operations: Calls its argument with the operations of the transaction.
  /// - Throws: `.transactionTooLarge`.
  func verify(_ operations: ((StoreOperation) throws -> Void) throws -> Void) throws {
    guard !weight.fits else { return }
    var parts = TransactionParts<ObjectLink>()
    var names: [ObjectLink: StoredValue] = [:]
    try operations { operation in
      if case .everything = operation.change { return }
      let root = operation.object.root
      names[root] = operation.object.primaryKey
      parts.add(root, operation.weight, isDeletion: operation.change == .delete, links: operation.links)
    }
    do throws(TransactionParts<ObjectLink>.TooLarge) {
      _ = try parts.split()
    } catch {
      let largest = name(error.largest, names[error.largest] ?? .null)
      let reason =
        error.hasDeletions
        ? "It deletes objects and changes others, so that it cannot be sent in parts."
        : "Most of it is of \(largest) and cannot be sent in parts."
      throw StorageError(
        .transactionTooLarge, "\(error.exceeded) \(reason) Nothing of it was stored: write less in one transaction.",
        path: path, className: schema[error.largest.classID]?.name, key: error.largest.key)
    }
  }
}

extension OperationObject {
  /// The number of containers and steps that the object is in.
  fileprivate var depth: Int {
    steps.reduce(0) { depth, step in
      if case .single = step.place { depth + 1 } else { depth + 2 }
    }
  }

  fileprivate func checkLimits() throws(SyncLimitExceeded) {
    try Self.checkKey(primaryKey)
    try SyncLimit.depth.check(depth)
  }

  fileprivate static func checkKey(_ key: StoredValue) throws(SyncLimitExceeded) {
    if case .string(let text) = key { try SyncLimit.primaryKey.check(text.utf8.count) }
  }

  fileprivate var weight: TransactionWeight {
    var weight = TransactionWeight.change + .step * depth
    if case .string(let text) = primaryKey { weight.bytes += text.utf8.count }
    return weight
  }
}

extension OperationValue {
  fileprivate func checkLimits(within depth: Int) throws(SyncLimitExceeded) {
    switch self {
    case .plain(.value(.string(let text))): try SyncLimit.value.check(text.utf8.count)
    case .plain(.value(.data(let data))): try SyncLimit.value.check(data.count)
    case .plain(.digest(let length, _, _)): try SyncLimit.value.check(length)
    case .plain(.value): break
    case .link(_, let key): try OperationObject.checkKey(key)
    case .embedded: try SyncLimit.depth.check(depth + 1)
    case .list(let elements):
      try SyncLimit.depth.check(depth + 1)
      for element in elements { try element.checkLimits(within: depth + 1) }
    case .dictionary(let entries):
      try SyncLimit.depth.check(depth + 1)
      for entry in entries {
        try SyncLimit.mapKey.check(entry.key.utf8.count)
        try entry.value.checkLimits(within: depth + 1)
      }
    }
  }

  fileprivate var weight: TransactionWeight {
    switch self {
    case .plain(.value(.string(let text))): .text(text.utf8.count)
    case .plain(.value(.data(let data))): .text(data.count)
    case .plain(.digest(let length, _, _)): .text(length)
    case .plain(.value): .scalar
    case .link(_, let key): if case .string(let text) = key { .text(text.utf8.count) } else { .text(16) }
    case .embedded: .container
    case .list(let elements): elements.reduce(.container) { $0 + $1.weight }
    case .dictionary(let entries): entries.reduce(.container) { $0 + .text($1.key.utf8.count) + $1.value.weight }
    }
  }

  fileprivate func addLinks(to links: inout [ObjectLink]) {
    switch self {
    case .link(let link, _): links.append(link)
    case .list(let elements): for element in elements { element.addLinks(to: &links) }
    case .dictionary(let entries): for entry in entries { entry.value.addLinks(to: &links) }
    case .plain, .embedded: break
    }
  }
}

extension StoreOperation {
  fileprivate var values: [OperationValue] {
    switch change {
    case .create(_, let properties): properties.map(\.value)
    case .set(_, let value), .put(_, _, let value): [value]
    case .list(_, _, let values), .insertIntoSet(_, let values), .removeFromSet(_, let values): values
    case .delete, .add, .clearSet, .removeKey, .clearMap, .everything: []
    }
  }

  fileprivate var links: [ObjectLink] {
    var links: [ObjectLink] = []
    for value in values { value.addLinks(to: &links) }
    return links
  }

  fileprivate var weight: TransactionWeight {
    let own = object.weight + values.reduce(.zero) { $0 + $1.weight }
    switch change {
    case .list(let place, .remove(_, let count), _): return own + .step * place.path.count + .removal * count
    case .list(let place, .clear, _): return own + .step * place.path.count + .removal * sizeBefore
    case .list(let place, _, _): return own + .step * place.path.count
    case .put(let place, let key, _), .removeKey(let place, let key):
      return own + .step * place.path.count + .text(key.utf8.count)
    // Each is a change of its own.
    case .insertIntoSet(_, let values), .removeFromSet(_, let values): return own + object.weight * values.count
    case .everything: return .zero
    default: return own
    }
  }
}
