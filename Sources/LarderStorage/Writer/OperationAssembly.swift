import LarderLMDB

/// Makes the operations of a commit out of what its transaction changed, and writes them (L-13).
///
/// They are the net effect: deletions first, then new objects, then changes of others, then embedded objects, outer ones before those they
/// hold. So each names only what was there before the commit, or what an operation before it has made.
final class OperationAssembly {
  let writer: StoreWriter
  let recorded: OperationRecorder
  private let changes: [(owner: ClassDescriptor, net: NetClassChanges)]
  private let places: [ClassID: Int]
  let primaryKeys: OperationKeys
  private var stream: OperationStreamWriter
  private let table: Table
  private var limits: TransactionLimits
  /// In place of those of the transaction, while the objects of a class that is not listed are looked at one by one.
  private var limitsOfObject: TransactionLimits?
  /// The positions of embedded objects in the collections of their owners.
  var positions: [ListID: [ObjectKey: Int]] = [:]

  /// The columns that new objects of a class are sent with: found once for all of them.
  private struct SentColumns {
    let single: [ColumnDescriptor]
    let collections: [ColumnDescriptor]

    init(_ owner: ClassDescriptor) {
      let sent = owner.columns.filter { !$0.isLocalOnly && !$0.isPrimaryKey }
      single = sent.filter { $0.collection == .none }
      collections = sent.filter { $0.collection != .none }
    }
  }

  private var sentColumns: [ClassID: SentColumns] = [:]
  /// By class, what was added to new objects.
  private var newObjectAdditions: [ClassID: [ObjectKey: [NewObjectAddition]]] = [:]

  private func additions(toNew key: ObjectKey, _ owner: ClassDescriptor) -> [NewObjectAddition] {
    guard let all = recorded.classes[owner.id]?.newObjectAdditions, !all.isEmpty else { return [] }
    if newObjectAdditions[owner.id] == nil { newObjectAdditions[owner.id] = Dictionary(grouping: all, by: \.key) }
    return newObjectAdditions[owner.id]?[key] ?? []
  }

  private func sentColumns(of owner: ClassDescriptor) -> SentColumns {
    if let known = sentColumns[owner.id] { return known }
    let found = SentColumns(owner)
    sentColumns[owner.id] = found
    return found
  }

  /// Elements of a new object's collection in one operation.
  private static let elements = 512

  init(_ writer: StoreWriter, _ recorded: OperationRecorder, _ tables: StoreTables.Sync, time: HybridTime) {
    self.writer = writer
    self.recorded = recorded
    primaryKeys = OperationKeys(writer, tables.ghosts)
    table = tables.operations
    stream = OperationStreamWriter(table, version: writer.version, time: time, in: writer.transaction)
    limits = TransactionLimits(writer.schema, path: writer.store.path)
    changes = writer.recorder.syncedBuffers().compactMap { buffer in
      writer.schema[buffer.classID].map {
        ($0, NetClassChanges(buffer, added: recorded.added(in: buffer.classID)))
      }
    }
    places = Dictionary(uniqueKeysWithValues: changes.enumerated().map { ($1.owner.id, $0) })
  }

  /// Writes the operations of the commit that a transaction is about to make, unless it brings what was done elsewhere. Before that, links
  /// lead to the objects that came.
  static func write(_ writer: StoreWriter) throws {
    try GhostKeeping(writer: writer).healAll()
    guard let recorded = writer.recorder.operations,
      let tables = StoreTables.Sync(try writer.transaction.makeOptionalTables())
    else { return }
    let time = writer.records.nextTime
    recorded.time = time
    if try OperationAssembly(writer, recorded, tables, time: time).write() { writer.recorder.mark(.hasOperations) }
  }

  /// False when there was nothing to write.
  private func write() throws -> Bool {
    for id in recorded.classes.keys.sorted() where recorded.classes[id]?.isEverything ?? false {
      let root = ObjectLink(classID: id, key: ObjectKey(rawValue: 0))
      try append(StoreOperation(OperationObject(root: root, primaryKey: .null), .everything))
      if let owner = writer.schema[id], !owner.isEmbedded { try checkAll(owner) }
    }
    let listed = changes.filter { !(recorded.classes[$0.owner.id]?.isEverything ?? false) }
    let top = listed.filter { $0.owner.syncMode != .local }
    for (owner, net) in top {
      try net.deleted.forEach { try append(StoreOperation(object(owner.id, $0), .delete)) }
    }
    for (owner, net) in top {
      try net.created.forEach { try create(object(owner.id, $0), owner) }
    }
    for (owner, net) in top { try change(owner, net) { try self.object(owner.id, $0) } }
    for owner in embeddedClasses(listed.map(\.owner)) {
      guard let net = net(owner.id) else { continue }
      try net.created.forEach { key in
        if let object = try embedded(owner.id, key), try !isNew(object) { try create(object, owner) }
      }
      try change(owner, net) { try self.embedded(owner.id, $0) }
    }
    try stream.finish()
    try limits.verify(readAgain)
    return !stream.isEmpty
  }

  /// Looks at each object of a class that is sent as it is.
  private func checkAll(_ owner: ClassDescriptor) throws {
    defer { limitsOfObject = nil }
    try writer.forEachKey(owner.id) { key in
      limitsOfObject = TransactionLimits(writer.schema, path: writer.store.path)
      let object = try object(owner.id, key)
      try create(object, owner)
      try limitsOfObject?.verify(object)
    }
  }

  /// The operations that were written.
  private func readAgain(_ body: (StoreOperation) throws -> Void) throws {
    let cursor = try writer.transaction.cursor(table)
    guard let first = try cursor.seek(OperationStream.key(writer.version, 0)) else { return }
    var reader = try OperationStreamReader(first, cursor)
    while let operation = try reader.next() { try body(operation) }
  }

  private func net(_ id: ClassID) -> NetClassChanges? { places[id].map { changes[$0].net } }

  func append(_ operation: StoreOperation) throws {
    guard limitsOfObject == nil else {
      try limitsOfObject?.take(operation)
      return
    }
    try limits.take(operation)
    try stream.append(operation)
  }

  /// Embedded classes, each before those that its objects hold.
  private func embeddedClasses(_ changed: [ClassDescriptor]) -> [ClassDescriptor] {
    let wanted = changed.filter(\.isEmbedded)
    var result: [ClassDescriptor] = []
    var visited: Set<ClassID> = []
    func visit(_ entry: ClassDescriptor) {
      guard visited.insert(entry.id).inserted else { return }
      for (origin, _) in writer.schema.origins(of: entry.id) where origin.isEmbedded { visit(origin) }
      if wanted.contains(where: { $0.id == entry.id }) { result.append(entry) }
    }
    for entry in wanted { visit(entry) }
    return result
  }

  /// Returns true if the holder of an embedded object is new as well: its operations come with those of its owner.
  private func isNew(_ object: OperationObject) throws -> Bool {
    let owner = object.steps.dropLast().last?.object ?? object.root
    return net(owner.classID)?.created.contains(owner.key) ?? false
  }

  private func object(_ classID: ClassID, _ key: ObjectKey) throws -> OperationObject {
    let link = ObjectLink(classID: classID, key: key)
    return OperationObject(root: link, primaryKey: try primaryKeys[link])
  }

  // MARK: - New objects

  /// A new object with all that it holds.
  private func create(_ object: OperationObject, _ owner: ClassDescriptor) throws {
    let key = object.target.key
    let net = net(owner.id)
    let state = try writer.classWriter(owner.id)
    let columns = sentColumns(of: owner)
    var properties: [OperationProperty] = []
    properties.reserveCapacity(columns.single.count)
    var children: [OperationObject.Step] = []
    // An embedded object is another one on each device, so that only one adds to it before it is sent.
    let additions = object.steps.isEmpty ? additions(toNew: key, owner) : []
    var sums: [(column: ColumnID, delta: StoredValue)] = []
    for column in columns.single {
      let stored = try writer.clusterReading.unfilteredValue(state, column, key)
      let own = additions.isEmpty ? [] : additions.filter { $0.column == column.id }
      if let sum = NewObjectSum(own, leadingTo: stored) {
        sums.append((column.id, sum.delta))
        properties.append(
          OperationProperty(column: column.id, value: try converted(sum.base, column), isDefault: sum.isDefault))
        continue
      }
      let value = try converted(stored, column)
      properties.append(
        OperationProperty(column: column.id, value: value, isDefault: net?.isDefault(column.id, key) ?? false))
      if case .embedded(let child) = value {
        children.append(OperationObject.Step(column: column.id, place: .single, object: child))
      }
    }
    try append(StoreOperation(object, .create(net?.intent(of: key) ?? .create, properties)))
    for (column, delta) in sums { try append(StoreOperation(object, .add(column, delta))) }
    for column in columns.collections {
      children += try createCollection(object, owner, column, isDefault: net?.isDefault(column.id, key) ?? false)
    }
    for child in children {
      guard let held = writer.schema[child.object.classID] else { continue }
      var inner = object
      inner.steps.append(child)
      try create(inner, held)
    }
  }

  /// The elements of a new object's collection. Returns those that are embedded.
  private func createCollection(
    _ object: OperationObject, _ owner: ClassDescriptor, _ column: ColumnDescriptor, isDefault: Bool
  ) throws -> [OperationObject.Step] {
    let link = object.target
    let count = try writer.list(link.classID, column.id, link.key).count
    var children: [OperationObject.Step] = []
    for start in stride(from: 0, to: count, by: Self.elements) {
      let range = start..<min(start + Self.elements, count)
      let list = try writer.list(link.classID, column.id, link.key)
      let values = try range.map { try converted(list.value(at: $0), column) }
      let keys = column.collection == .map ? try writer.map(link.classID, column.id, link.key) : nil
      let names = try keys.map { keys in try range.map { try keys.key(at: $0) } }
      let place = OperationPlace(column: column.id)
      switch column.collection {
      case .list:
        let action = ListEdit.Action.insert(at: start, count: values.count)
        try append(StoreOperation(object, .list(place, action, values), sizeBefore: start, isDefault: isDefault))
      case .set:
        try append(
          StoreOperation(object, .insertIntoSet(column.id, values), sizeBefore: start, isDefault: isDefault))
      case .map, .none:
        for (index, name) in (names ?? []).enumerated() {
          let change = StoreOperation.Change.put(place, key: name, values[index])
          try append(StoreOperation(object, change, sizeBefore: start + index, isDefault: isDefault))
        }
      }
      for (index, value) in values.enumerated() {
        guard case .embedded(let child) = value else { continue }
        let at = names.map { OperationObject.Step.Place.key($0[index]) } ?? .position(start + index)
        children.append(OperationObject.Step(column: column.id, place: at, object: child))
      }
    }
    return children
  }

  // MARK: - Changes

  /// The changes of a class's objects, object by object.
  ///
  /// - Parameter find: Nil for an object that no synced object owns.
  private func change(
    _ owner: ClassDescriptor, _ net: NetClassChanges, _ find: (ObjectKey) throws -> OperationObject?
  ) throws {
    let known = recorded.classes[owner.id]
    let edits = Dictionary(grouping: known?.edits ?? [], by: \.key).filter { !net.isGone($0.key) }
    var rest = net.properties[...]
    for key in Set(net.properties.map(\.key)).union(edits.keys).sorted() {
      let properties = rest.prefix { $0.key == key }
      rest = rest.dropFirst(properties.count)
      guard let object = try find(key) else { continue }
      for property in properties { try change(object, owner, property) }
      // Edits within a mixed value that was set, before or after, are part of the value that it has now.
      let set = Set(properties.map(\.column))
      for edit in edits[key] ?? [] where !set.contains(edit.column) { try change(object, owner, edit) }
    }
  }

  private func change(
    _ object: OperationObject, _ owner: ClassDescriptor, _ property: NetClassChanges.PropertyChange
  ) throws {
    guard let column = owner.column(property.column), !column.isLocalOnly, !column.isPrimaryKey,
      column.collection == .none
    else { return }
    if property.isAddition {
      let deltas = recorded.classes[owner.id]?.additions.filter { $0.column == column.id && $0.key == property.key }
      let sum = try (deltas ?? []).map(\.delta).reduce(nil) { try StoredValue.sum($0, $1) }
      return try append(StoreOperation(object, .add(column.id, sum ?? .null)))
    }
    let value = try writer.clusterReading.unfilteredValue(writer.classWriter(owner.id), column, property.key)
    try append(StoreOperation(object, .set(column.id, converted(value, column))))
  }

  private func change(_ object: OperationObject, _ owner: ClassDescriptor, _ edit: RecordedEdit) throws {
    guard let column = owner.column(edit.column), !column.isLocalOnly else { return }
    let place = OperationPlace(column: edit.column, path: edit.path)
    let change: StoreOperation.Change
    switch edit.action {
    case .list(let action): change = .list(place, action, try edit.values.map { try converted($0, column) })
    case .set(.insert(let elements)):
      change = .insertIntoSet(column.id, try elements.map { try converted($0.value, column) })
    case .set(.remove(let elements)):
      change = .removeFromSet(column.id, try elements.map { try converted($0.value, column) })
    case .set(.clear): change = .clearSet(column.id)
    case .map(.put(let key, _, _)):
      change = .put(place, key: key, try converted(edit.values.first ?? .null, column))
    case .map(.remove(let key, _)): change = .removeKey(place, key: key)
    case .map(.clear): change = .clearMap(place)
    }
    try append(StoreOperation(object, change, sizeBefore: edit.sizeBefore))
  }

  // MARK: - Values

  private func converted(_ value: LoggedValue, _ column: ColumnDescriptor) throws -> OperationValue {
    guard case .value(let value) = value else { return .plain(value) }
    return try converted(value, column)
  }

  private func converted(_ value: StoredValue, _ column: ColumnDescriptor) throws -> OperationValue {
    switch value {
    case .link(let key):
      guard let target = column.target else { return .null }
      let link = ObjectLink(classID: target, key: key)
      if writer.schema[target]?.isEmbedded ?? false { return .embedded(link) }
      return .link(link, primaryKey: try primaryKeys[link])
    case .object(let link): return .link(link, primaryKey: try primaryKeys[link])
    case .list(let list): return .list(try list.map { try converted($0, column) })
    case .dictionary(let entries):
      return .dictionary(
        try entries.map { OperationValue.Entry(key: $0.key, value: try converted($0.value, column)) })
    default: return .plain(LoggedValue(value))
    }
  }
}
