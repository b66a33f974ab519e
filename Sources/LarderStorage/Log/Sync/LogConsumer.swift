import LarderCrypto
import LarderLMDB

/// A consumer of the log that must not miss records: a name and how far it has read (L-14).
package struct LogConsumer: Hashable, Sendable {
  /// The limit of the time that records wait for the consumer.
  package enum Policy: Hashable, Sendable {
    /// For ever.
    case hard
    /// Records wait until it is more than this many versions behind; then it is marked expired.
    case versions(UInt64)
    /// Records wait until those that it has not read take more than this many bytes; then it is marked expired.
    case bytes(UInt64)
  }

  package let name: String
  /// Last version it has dealt with.
  package var consumed: UInt64
  package var policy: Policy
  /// Records it had not read were dropped: it must start over from the current state.
  package var isExpired = false

  package init(name: String, consumed: UInt64, policy: Policy) {
    self.name = name
    self.consumed = consumed
    self.policy = policy
  }

  static let longestName = 200

  /// The place that names are hashed in: where names are hashed, there is one table of them.
  private static let place: UInt64 = 0

  /// The table's key: the name, padded with zeros, or its hash.
  func key(_ hash: KeyedHash?) throws -> KeyBytes {
    guard !name.isEmpty, name.utf8.count <= LogConsumer.longestName, !name.utf8.contains(0) else {
      throw StorageError(
        .valueTooLarge,
        "A log consumer's name has 1 to \(LogConsumer.longestName) bytes and no NUL; '\(name.prefix(40))' has not.")
    }
    if let hash {
      return KeyBytes(bytes: try Array(name.utf8).withUnsafeBytes { try hash.bytes(of: $0, in: Self.place) })
    }
    var key = KeyBytes(bytes: name.utf8)
    key.pad()
    return key
  }

  func encoded() -> [UInt8] {
    var writer = LogWriter()
    writer.fixed(consumed)
    switch policy {
    case .hard:
      writer.byte(0)
      writer.fixed(UInt64(0))
    case .versions(let bound):
      writer.byte(1)
      writer.fixed(bound)
    case .bytes(let bound):
      writer.byte(2)
      writer.fixed(bound)
    }
    writer.byte(isExpired ? 1 : 0)
    writer.block(Array(name.utf8))
    writer.pad()
    return writer.bytes
  }

  init(decoding view: ByteView) throws {
    var reader = LogReader(view)
    let consumed: UInt64 = try reader.fixed()
    let kind = try reader.byte()
    let bound: UInt64 = try reader.fixed()
    let expired = try reader.byte()
    let length = try reader.count()
    let name = String(decoding: try reader.raw(length).bytes, as: UTF8.self)
    let policy: Policy
    switch kind {
    case 0: policy = .hard
    case 1: policy = .versions(bound)
    case 2: policy = .bytes(bound)
    default: throw LogReader.damage("consumer '\(name)' has a policy of unknown kind")
    }
    self.init(name: name, consumed: consumed, policy: policy)
    isExpired = expired & 1 == 1
  }
}

extension ChangeLog {
  /// Adds a consumer, or replaces the one of that name.
  package func register(_ consumer: LogConsumer, in transaction: WriteTransaction) throws {
    try transaction.put(cursors, try consumer.key(names), consumer.encoded())
  }

  /// Notes that a consumer has dealt with everything up to a version; never goes back.
  ///
  /// - Throws: `notFound` for an unknown name.
  package func advance(_ name: String, to version: UInt64, in transaction: WriteTransaction) throws {
    let key = try LogConsumer(name: name, consumed: 0, policy: .hard).key(names)
    guard var consumer = try transaction.get(cursors, key).map({ try LogConsumer(decoding: $0) }) else {
      throw StorageError(.notFound, "No log consumer is named '\(name)'. Register it first.")
    }
    guard version > consumer.consumed else { return }
    consumer.consumed = version
    try transaction.put(cursors, key, consumer.encoded())
  }

  /// Every registered consumer, by name.
  package func consumers(in source: some LogSource) throws -> [LogConsumer] {
    let cursor = try source.logCursor(cursors)
    var result: [LogConsumer] = []
    var entry = try cursor.first()
    while let found = entry {
      result.append(try LogConsumer(decoding: found.value))
      entry = try cursor.next()
    }
    if names != nil { result.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) } }
    return result
  }

  /// Returns true if a consumer is registered; then deletions need tombstones.
  package func hasConsumers(in source: some LogSource) throws -> Bool {
    try source.logCursor(cursors).first() != nil
  }
}
