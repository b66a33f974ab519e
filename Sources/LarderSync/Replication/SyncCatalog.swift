import LarderStorage
import LarderSyncProtocol

/// The classes of a store that are synchronised, by the names that they have on every device.
///
/// Properties that stay on the device are none of them.
struct SyncCatalog: Sendable {
  /// A class of objects or of embedded objects.
  struct Entry: Sendable {
    let descriptor: ClassDescriptor
    /// Nil for embedded objects.
    let primaryKey: ColumnDescriptor?
    /// All that are synchronised but the primary key.
    let columns: [ColumnDescriptor]
    let columnsByName: [SyncText: ColumnDescriptor]
    /// True if objects have lists, or may have containers within values: something that has names of its own.
    let hasNames: Bool

    init(_ descriptor: ClassDescriptor) {
      self.descriptor = descriptor
      primaryKey = descriptor.isEmbedded ? nil : descriptor.primaryKey
      columns = descriptor.columns.filter { !$0.isLocalOnly && !$0.isPrimaryKey }
      columnsByName = Dictionary(
        columns.map { (SyncText($0.name), $0) }, uniquingKeysWith: { first, _ in first })
      hasNames = columns.contains { $0.collection == .list || $0.type == .mixed || $0.type == .link }
    }
  }

  /// Tells it from that of another schema.
  let fingerprint: UInt64
  private let byName: [SyncText: Entry]
  private let byID: [ClassID: Entry]

  init(_ schema: StoreSchema) {
    fingerprint = schema.fingerprint
    let entries = schema.classes.filter { schema.isSynced($0.id) }.map { Entry($0) }
    byName = Dictionary(
      entries.filter { !$0.descriptor.isEmbedded }.map { (SyncText($0.descriptor.name), $0) },
      uniquingKeysWith: { first, _ in first })
    sentOnly = Set(byName.filter { $0.value.descriptor.syncMode == .asymmetric }.keys)
    byID = Dictionary(uniqueKeysWithValues: entries.map { ($0.descriptor.id, $0) })
  }

  /// A class of objects that have names.
  subscript(name: SyncText) -> Entry? { byName[name] }

  subscript(id: ClassID) -> Entry? { byID[id] }

  /// All classes.
  var entries: [Entry] { byID.values.sorted { $0.descriptor.id.rawValue < $1.descriptor.id.rawValue } }

  /// The classes of objects that have names.
  var names: [SyncText] { byName.keys.sorted() }

  /// The classes of objects that are only sent (Y-46).
  let sentOnly: Set<SyncText>
}
