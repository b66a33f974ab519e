import LarderStorage
import LarderSyncProtocol

/// Turns operations that the store has logged into the transactions that a device takes.
///
/// Embedded objects have operations of their own in the log; here their values are part of what puts them into their owner.
struct LoggedCommits {
  let transaction: ReplicaTransaction
  /// Reads the store as it is after all operations that are converted.
  private let objects: StoredObjects
  /// Classes that were given whole: what later operations say of their objects is in that already.
  private var wholeClasses: Set<ClassID> = []
  /// Classes whose changes are left out.
  private let withheld: Set<SyncText>
  /// Leaves out what the server does not have; nil before it has said what it has.
  private let filter: SchemaFilter?

  init(_ transaction: ReplicaTransaction, withheld: Set<SyncText> = [], filter: SchemaFilter? = nil) {
    self.transaction = transaction
    self.withheld = withheld
    self.filter = filter
    objects = transaction.objects
  }

  /// A transaction of the store; without edits when nothing of it is synchronised.
  ///
  /// - Throws: `ReplicaError.nameless`.
  mutating func converted(_ commit: OperationsReader.Commit, nonce: UInt64) throws -> LocalCommit {
    var drafts: [ObjectLink: [OperationProperty]] = [:]
    for operation in commit.operations where !operation.object.steps.isEmpty {
      if case .create(_, let properties) = operation.change { drafts[operation.object.target] = properties }
    }
    var edits: [LocalEdit] = []
    for operation in commit.operations {
      let root = operation.object.root
      if wholeClasses.contains(root.classID) { continue }
      guard let entry = transaction.catalog[root.classID] else { continue }
      if !withheld.isEmpty, withheld.contains(SyncText(entry.descriptor.name)) { continue }
      if case .everything = operation.change {
        wholeClasses.insert(root.classID)
        if !entry.descriptor.isEmbedded { edits += try everything(in: entry) }
        continue
      }
      guard let key = PrimaryKey(operation.object.primaryKey) else {
        throw ReplicaError.nameless(className: entry.descriptor.name)
      }
      let name = ObjectName(className: SyncText(entry.descriptor.name), key: key)
      let changes = try LoggedOperation(operation, objects: objects, catalog: transaction.catalog, drafts: drafts)
        .changes
      edits += kept(changes.map { LocalEdit(name, $0) })
      transaction.noteFormer(name, root)
    }
    return LocalCommit(time: SyncTime(rawValue: commit.time.rawValue), nonce: nonce, edits: edits)
  }

  private func kept(_ edits: [LocalEdit]) -> [LocalEdit] {
    filter.map { filter in edits.compactMap { filter.kept($0) } } ?? edits
  }

  /// All objects of a class as creations whose values give way to what was assigned elsewhere.
  ///
  /// - Parameter only: The properties that are sent, of objects that have any of them; nil for everything of all objects.
  func everything(in entry: SyncCatalog.Entry, only: Set<SyncText>? = nil) throws -> [LocalEdit] {
    var edits: [LocalEdit] = []
    try transaction.writer.forEachKey(entry.descriptor.id) { key in
      let link = ObjectLink(classID: entry.descriptor.id, key: key)
      guard let name = try objects.name(of: link) else { return }
      var properties = try objects.properties(of: link)
      if let only {
        properties = properties.filter { only.contains($0.name) && !$0.value.isEmptyCollection }
        if properties.isEmpty { return }
      }
      edits += BaselineObject(name, properties, entry).edits
    }
    return kept(edits)
  }
}

/// An object that was there before its class was synchronised, as edits that create it.
struct BaselineObject {
  let edits: [LocalEdit]

  init(_ name: ObjectName, _ properties: [SyncProperty], _ entry: SyncCatalog.Entry) {
    var created: [CreatedProperty] = []
    var changes: [LocalChange] = []
    for property in properties {
      let path = LocalPath(property.name)
      let isCollection = entry.columnsByName[property.name]?.collection != CollectionKind.none
      switch property.value {
      case .list(let list) where isCollection:
        if !list.entries.isEmpty {
          changes.append(.listInsert(path, at: 0, list.entries.map(\.value), sizeBefore: 0))
        }
      case .set(let set): changes += set.values.map { .setInsert(path, $0) }
      case .map(let map) where isCollection:
        changes += map.entries.map { .mapPut(path, $0.key, $0.value) }
      default: created.append(CreatedProperty(property.name, property.value, rank: .baseline))
      }
    }
    edits = [LocalEdit(name, .create(created))] + changes.map { LocalEdit(name, $0) }
  }
}

extension SyncValue {
  /// True if the value is a collection without elements.
  fileprivate var isEmptyCollection: Bool {
    switch self {
    case .list(let list): list.entries.isEmpty
    case .set(let set): set.values.isEmpty
    case .map(let map): map.entries.isEmpty
    default: false
    }
  }
}
