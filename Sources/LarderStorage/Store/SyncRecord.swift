import LarderLMDB

/// Bytes that synchronisation keeps in the store and that mean nothing to it: in the table `sync.state` under a name, in `sync.elements` for
/// the collections of an object (L-25).
enum SyncRecord {
  private static let headSize = 16
  static let longestName = 200

  /// Checksum, length, and the bytes, padded.
  static func encode(_ bytes: [UInt8], key: KeyBytes) -> [UInt8] {
    var body = LogWriter(capacity: bytes.count + headSize)
    body.fixed(UInt64(bytes.count))
    body.raw(bytes)
    body.pad()
    var writer = LogWriter(capacity: body.bytes.count + 8)
    writer.fixed(body.bytes.withUnsafeBytes { Checksum64.hash($0, seed: seed(key)) })
    writer.raw(body.bytes)
    return writer.bytes
  }

  /// Throws `.corrupted` for what was not written under the key.
  static func decode(_ view: ByteView, key: KeyBytes) throws -> [UInt8] {
    guard view.count >= headSize,
      view.load(0, as: UInt64.self) == Checksum64.hash(view.slice(8, view.count - 8).buffer, seed: seed(key)),
      let count = Int(exactly: view.load(8, as: UInt64.self)), count <= view.count - headSize
    else {
      throw StorageError(
        .corrupted, "A record of synchronisation is damaged: check the store, then synchronise it from the start.")
    }
    return view.slice(headSize, count).bytes
  }

  private static func seed(_ key: KeyBytes) -> UInt64 { key.withBytes { Checksum64.hash($0) } }

  static func key(name: String) throws -> KeyBytes {
    guard !name.isEmpty, name.utf8.count <= longestName, !name.utf8.contains(0) else {
      throw StorageError(
        .valueTooLarge,
        "A record of synchronisation has a name of 1 to \(longestName) bytes without NUL; '\(name.prefix(40))' is none."
      )
    }
    var key = KeyBytes(bytes: name.utf8)
    key.pad()
    return key
  }

  static func key(elementsOf object: ObjectLink, _ column: ColumnID) -> KeyBytes {
    KeyBytes(UInt64(object.classID.rawValue) << 48 | UInt64(column.rawValue) << 32, object.key.rawValue)
  }
}

/// The records that are kept for the lists of one property of an object: bytes by the path to each.
struct ElementRecords {
  private var entries: [(path: [MixedStep], bytes: [UInt8])] = []

  init() {}

  init(decoding bytes: [UInt8]) throws {
    entries = try bytes.withView { view in
      var reader = LogReader(view)
      return try (0..<(try reader.count())).map { _ in
        let path = try (0..<(try reader.count())).map { _ in try MixedStep(decoding: &reader) }
        let length = try reader.count()
        return (path, try reader.raw(length).bytes)
      }
    }
  }

  func encoded() -> [UInt8] {
    var writer = LogWriter()
    writer.varint(entries.count)
    for entry in entries {
      writer.varint(entry.path.count)
      for step in entry.path { step.encode(into: &writer) }
      writer.block(entry.bytes)
    }
    return writer.bytes
  }

  var isEmpty: Bool { entries.isEmpty }
  var paths: [[MixedStep]] { entries.map(\.path) }

  subscript(path: [MixedStep]) -> [UInt8]? {
    get { entries.first { $0.path == path }?.bytes }
    set {
      entries.removeAll { $0.path == path }
      if let newValue { entries.append((path, newValue)) }
    }
  }
}

extension Snapshot {
  /// Returns the state that synchronisation keeps under a name; nil when there is none.
  package func syncState(_ name: String) throws -> [UInt8]? {
    guard schema.hasSync, let table = StoreTables.Sync(store.environment)?.state else { return nil }
    let key = try SyncRecord.key(name: name)
    return try storageErrors(store.path) {
      try transaction.get(table, key).map { try SyncRecord.decode($0, key: key) }
    }
  }

  /// Returns what synchronisation keeps for a list of an object: for the property's own, or one within its mixed values.
  package func syncElements(_ object: ObjectLink, _ column: ColumnID, path: [MixedStep] = []) throws -> [UInt8]? {
    guard schema.hasSync, let table = StoreTables.Sync(store.environment)?.elements else { return nil }
    let key = SyncRecord.key(elementsOf: object, column)
    return try storageErrors(store.path) {
      try transaction.get(table, key).map { try ElementRecords(decoding: SyncRecord.decode($0, key: key))[path] }
    } ?? nil
  }
}
