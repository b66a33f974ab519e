/// The changes of one commit, as the log keeps them: numbers of classes, columns and objects, never values (L-9 to L-12).
package struct CommitRecord: Hashable, Sendable {
  /// Properties of a commit as a whole (L-11).
  package struct Flags: OptionSet, Hashable, Sendable {
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let appliedFromRemote = Flags(rawValue: 1 << 0)
    package static let schemaChange = Flags(rawValue: 1 << 1)
    package static let bulk = Flags(rawValue: 1 << 2)
    package static let migration = Flags(rawValue: 1 << 3)
    package static let localOnly = Flags(rawValue: 1 << 4)
    /// Details of some classes are not listed: they count as changed entirely.
    package static let truncated = Flags(rawValue: 1 << 5)
    /// Reserved: operations with values are in the table `ops`.
    package static let hasOperations = Flags(rawValue: 1 << 6)
  }

  package var flags: Flags
  package var time: HybridTime
  /// Index into the table `origins`; 0 is this store.
  package var origin: UInt16
  package var schemaFingerprint: UInt64
  package var extensions: [LogExtension]
  /// In order of class number, each class once.
  package var classes: [ClassChanges]

  package init(
    flags: Flags = [], time: HybridTime = .zero, origin: UInt16 = 0, schemaFingerprint: UInt64 = 0,
    extensions: [LogExtension] = [], classes: [ClassChanges] = []
  ) {
    self.flags = flags
    self.time = time
    self.origin = origin
    self.schemaFingerprint = schemaFingerprint
    self.extensions = extensions
    self.classes = classes
  }

  package subscript(_ classID: ClassID) -> ClassChanges? { classes.first { $0.classID == classID } }

  /// Returns true if it names every change, and names no more than so many objects and edits.
  func names(atMost limit: Int) -> Bool {
    var left = limit
    for entry in classes {
      if entry.isTruncated { return false }
      left -= entry.inserted.count + entry.deleted.count + entry.derivedDeleted.count
      left -= entry.modified.reduce(0) { $0 + $1.keys.count }
      for changes in entry.lists { left -= changes.edits.count }
      for changes in entry.sets { left -= changes.edits.count }
      for changes in entry.maps { left -= changes.edits.count }
      for changes in entry.nested { left -= changes.edits.count }
      if left < 0 { return false }
    }
    return true
  }
}

/// The changes of one commit in one class.
package struct ClassChanges: Hashable, Sendable {
  package var classID: ClassID
  /// Details are not listed: everything in the class may have changed. Which objects came and went is listed all the same.
  package var isTruncated = false
  package var inserted = KeyRanges()
  /// Deleted on purpose.
  package var deleted = KeyRanges()
  /// Deleted because their owner went: every replica derives this itself.
  package var derivedDeleted = KeyRanges()
  /// By column, direct changes before derived ones.
  package var modified: [ColumnChanges] = []
  /// Edits of lists, sets and maps, by column and object.
  package var lists: [CollectionChanges<ListEdit>] = []
  package var sets: [CollectionChanges<SetEdit>] = []
  package var maps: [CollectionChanges<MapEdit>] = []
  /// Edits within mixed values, by column and object.
  package var nested: [CollectionChanges<NestedEdit>] = []
  /// Owners of created and changed objects, when the class is embedded.
  package var owners: [EmbeddedOwnerRun] = []
  /// Objects that came from create-or-update rather than plain create (L-16).
  package var intents: [CreateIntentKeys] = []
  /// By column, the inserted objects whose value there is the declaration's default and was not given (L-16).
  package var defaults: [ColumnChanges] = []

  package init(classID: ClassID) { self.classID = classID }

  package var isEmpty: Bool {
    !isTruncated && inserted.isEmpty && deleted.isEmpty && derivedDeleted.isEmpty && modified.isEmpty && lists.isEmpty
      && sets.isEmpty && maps.isEmpty && nested.isEmpty
  }

  /// Deleted objects, whatever the reason.
  package var allDeleted: KeyRanges { deleted.union(derivedDeleted) }
}

/// Objects of which one column was assigned.
package struct ColumnChanges: Hashable, Sendable {
  package var column: ColumnID
  /// The change follows from another one: a link nulled because its target was deleted (L-12).
  package var isDerived: Bool
  package var keys: KeyRanges

  package init(column: ColumnID, isDerived: Bool = false, keys: KeyRanges) {
    self.column = column
    self.isDerived = isDerived
    self.keys = keys
  }
}

/// The way in which an object was created.
package enum CreateIntent: UInt8, Hashable, Sendable {
  /// A plain create; not stored.
  case create = 0
  /// Create, or update every property.
  case createOrUpdateAll = 1
  /// Create, or update the properties that differ.
  case createOrUpdateModified = 2
}

/// Objects with the same create intent.
package struct CreateIntentKeys: Hashable, Sendable {
  package var intent: CreateIntent
  package var keys: KeyRanges

  package init(intent: CreateIntent, keys: KeyRanges) {
    self.intent = intent
    self.keys = keys
  }
}

/// An extension of a record's header that this build may or may not know.
package struct LogExtension: Hashable, Sendable {
  /// The high bit says: consumers of the log that do not know it must stop.
  package static let criticalBit: UInt16 = 0x8000
  /// The epoch after it changed, u64 (L-15).
  package static let epoch: UInt16 = 1
  private static let known: Set<UInt16> = [epoch]

  package var tag: UInt16
  package var bytes: [UInt8]

  package init(tag: UInt16, bytes: [UInt8]) {
    self.tag = tag
    self.bytes = bytes
  }

  package var isCritical: Bool { tag & LogExtension.criticalBit != 0 }
  package var isKnown: Bool { LogExtension.known.contains(tag & ~LogExtension.criticalBit) }
}

extension CommitRecord {
  /// The epoch that began with this commit, if one did.
  package var newEpoch: UInt64? {
    get {
      guard let found = extensions.first(where: { $0.tag == LogExtension.epoch }), found.bytes.count == 8 else {
        return nil
      }
      return found.bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
    set {
      extensions.removeAll { $0.tag == LogExtension.epoch }
      guard let newValue else { return }
      let bytes = withUnsafeBytes(of: newValue.littleEndian) { Array($0) }
      extensions.append(LogExtension(tag: LogExtension.epoch, bytes: bytes))
    }
  }

  /// The first extension that forbids a consumer of the log to go on. The store itself stays usable.
  package var unknownCriticalExtension: LogExtension? { extensions.first { $0.isCritical && !$0.isKnown } }
}
