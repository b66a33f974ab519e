import LarderStorage
import LarderSyncProtocol

/// Keeps a device in the store that it synchronises, in the same transaction as the objects: its head and its exceptions in a record each, each
/// commit in one, and of commits of which some operations wait, which ones. Details of objects are with the objects.
struct DeviceRecords {
  private enum Name {
    static let head = "device"
    static let exceptions = "device.view"
    static func commit(_ siteVersion: UInt64) -> String { "device.commit." + String(siteVersion, radix: 16) }
    static func waiting(_ siteVersion: UInt64) -> String { "device.waiting." + String(siteVersion, radix: 16) }
  }

  private let state: SyncWriting

  /// - Throws: As `SyncWriting.init`.
  init(_ writer: StoreWriter) throws { state = try SyncWriting(writer) }

  /// The device of a store; nil for one that has none yet. Work is proportional to the commits that it keeps.
  ///
  /// - Throws: `StorageError`, or `SyncDecodingError` for a record that is damaged.
  func load(_ transaction: ReplicaTransaction?) throws -> Device<StoreReplica>? {
    guard let bytes = try state.state(Name.head) else { return nil }
    var decoder = SyncDecoder(bytes)
    let first = try decoder.reader.varint()
    let head = try DeviceHead(from: &decoder)
    try decoder.reader.finish()
    var commits: [KeptCommit] = []
    var siteVersion = first
    while siteVersion <= head.lastSiteVersion {
      guard let bytes = try state.state(Name.commit(siteVersion)) else { throw missing(siteVersion) }
      let waiting = try state.state(Name.waiting(siteVersion)).map { try Self.indices($0) }
      commits.append(KeptCommit(try SyncCommit(decoding: bytes, site: head.site), waiting: waiting))
      siteVersion += 1
    }
    var exceptions: [ObjectName] = []
    if let bytes = try state.state(Name.exceptions) {
      var decoder = SyncDecoder(bytes)
      for _ in 0..<(try decoder.reader.count(eachAtLeast: 3)) { exceptions.append(try ObjectName(from: &decoder)) }
    }
    return Device(
      head, commits: commits, viewExceptions: exceptions, store: StoreReplica(transaction: transaction))
  }

  /// Keeps what became another in a device. Its transaction must not have failed.
  func save(_ device: inout Device<StoreReplica>, _ transaction: ReplicaTransaction) throws {
    let changes = device.takeChanges()
    for (siteVersion, commit) in changes.commits {
      try state.setState(Name.commit(siteVersion), commit?.encoded(site: changes.head.site))
      if commit == nil { try state.setState(Name.waiting(siteVersion), nil) }
    }
    for (siteVersion, waiting) in changes.waiting {
      try state.setState(Name.waiting(siteVersion), waiting.map { Self.bytes($0) })
    }
    for (object, details) in changes.details {
      guard let link = try transaction.formerLink(of: object) else { continue }
      guard try state.elements(link, StoreReplica.detailsColumn) != details else { continue }
      try state.setElements(link, StoreReplica.detailsColumn, details)
    }
    if let exceptions = changes.viewExceptions {
      var encoder = SyncEncoder()
      encoder.writer.count(exceptions.count)
      for object in exceptions { object.encode(into: &encoder) }
      try state.setState(Name.exceptions, exceptions.isEmpty ? nil : encoder.writer.bytes)
    }
    var encoder = SyncEncoder()
    encoder.writer.varint(device.keptCommits.first?.siteVersion ?? changes.head.lastSiteVersion + 1)
    changes.head.encode(into: &encoder)
    try state.setState(Name.head, encoder.writer.bytes)
  }

  private func missing(_ siteVersion: UInt64) -> StorageError {
    StorageError(
      .corrupted, "Commit \(siteVersion) of the device is missing: check the store, then synchronise it from the start."
    )
  }

  private static func bytes(_ indices: [Int]) -> [UInt8] {
    var writer = ByteWriter()
    writer.count(indices.count)
    for index in indices { writer.count(index) }
    return writer.bytes
  }

  private static func indices(_ bytes: [UInt8]) throws -> [Int] {
    var reader = ByteReader(bytes, limits: .standard)
    let indices = try (0..<(try reader.count(eachAtLeast: 1))).map { _ in Int(try reader.varint32()) }
    try reader.finish()
    return indices
  }
}
