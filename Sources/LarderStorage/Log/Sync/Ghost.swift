import LarderLMDB

/// An object of a synced class that links lead to and that is not here (L-8): under its key, what it is called elsewhere.
struct Ghost {
  let primaryKey: StoredValue

  init(primaryKey: StoredValue) { self.primaryKey = primaryKey }

  static func key(_ link: ObjectLink) -> KeyBytes {
    KeyBytes(UInt64(link.classID.rawValue) << 48, link.key.rawValue)
  }

  func encoded() -> [UInt8] {
    var writer = LogWriter()
    LogValue.encode(primaryKey, into: &writer)
    writer.pad()
    return writer.bytes
  }

  init(decoding view: ByteView) throws {
    var reader = LogReader(view)
    primaryKey = try LogValue.decode(&reader)
  }
}

/// The ghosts of a class whose primary keys have one hash: what a ghost is found by. In the table of ghosts, after those of the class.
struct GhostIndexEntry {
  var keys: [ObjectKey]

  static let mark: UInt64 = 1

  /// The class and the hash of a primary key.
  static func key(_ classID: ClassID, _ ghost: Ghost) -> KeyBytes {
    KeyBytes(UInt64(classID.rawValue) << 48 | mark, ghost.encoded().withUnsafeBytes { Checksum64.hash($0) })
  }

  func encoded() -> [UInt8] {
    var writer = LogWriter()
    keys.forEach { writer.fixed($0.rawValue) }
    return writer.bytes
  }

  init(keys: [ObjectKey]) { self.keys = keys }

  init(decoding view: ByteView) throws {
    guard view.count > 0, view.count % 8 == 0 else {
      throw LogReader.damage("an entry of the index of ghosts has \(view.count) bytes")
    }
    keys = stride(from: 0, to: view.count, by: 8).map { ObjectKey(rawValue: view.load($0, as: UInt64.self)) }
  }
}

/// Looks ghosts up by their primary keys. O(log n).
struct GhostLookup {
  let table: Table
  let get: (Table, KeyBytes) throws -> ByteView?

  /// Returns true if a class has ghosts.
  static func areThere(_ classID: ClassID, in cursor: any CursorReading) throws -> Bool {
    let first = Ghost.key(ObjectLink(classID: classID, key: ObjectKey(rawValue: 0)))
    let found = try cursor.seek(first)
    return found.map { $0.key.loadBigEndian(0, as: UInt64.self) >> 48 == UInt64(classID.rawValue) } ?? false
  }

  func name(of link: ObjectLink) throws -> StoredValue? {
    try get(table, Ghost.key(link)).map { try Ghost(decoding: $0).primaryKey }
  }

  /// The keys that links to an object lead to while it is not here; mostly none or one.
  func keys(_ classID: ClassID, primaryKey: StoredValue) throws -> [ObjectKey] {
    let wanted = Ghost(primaryKey: primaryKey)
    let name = wanted.encoded()
    guard let found = try get(table, GhostIndexEntry.key(classID, wanted)) else { return [] }
    // Views do not outlive the next look-up of an encrypted store's writer.
    let keys = try GhostIndexEntry(decoding: found).keys
    return try keys.filter { try get(table, Ghost.key(ObjectLink(classID: classID, key: $0)))?.bytes == name }
  }
}

/// The changes that a write transaction makes to the ghosts of one class.
struct GhostChanges {
  /// Given in this transaction to objects that are not here: no row ever had these keys.
  var reserved: Set<ObjectKey> = []
  /// Objects that came, with the key that links lead to instead.
  var arrivals: [(ghost: ObjectKey, object: ObjectKey)] = []
  /// The names of ghosts to which no link leads any more.
  var healed: [ObjectKey: StoredValue] = [:]

  var isEmpty: Bool { reserved.isEmpty && arrivals.isEmpty && healed.isEmpty }
}
