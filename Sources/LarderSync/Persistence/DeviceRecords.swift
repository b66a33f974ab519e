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

  init(_ state: SyncWriting) { self.state = state }

  /// - Throws: As `SyncWriting.init`.
  init(_ writer: StoreWriter) throws { self.init(try SyncWriting(writer)) }

  private struct Head {
    /// The number of times that the device was kept.
    var revision: UInt64 = 0
    /// The first commit that is kept.
    var first: UInt64
    var device: DeviceHead

    init(first: UInt64, device: DeviceHead) {
      self.first = first
      self.device = device
    }

    init(_ bytes: [UInt8]) throws {
      var decoder = SyncDecoder(bytes)
      revision = try decoder.reader.varint()
      first = try decoder.reader.varint()
      device = try DeviceHead(from: &decoder)
      try decoder.reader.finish()
    }

    var bytes: [UInt8] {
      var encoder = SyncEncoder()
      encoder.writer.varint(revision)
      encoder.writer.varint(first)
      device.encode(into: &encoder)
      return encoder.writer.bytes
    }
  }

  private func head() throws -> Head? { try state.state(Name.head).map { try Head($0) } }

  /// Another number each time that the device is kept: one that was loaded earlier is the same as long as this is. Nil without a device.
  func revision() throws -> UInt64? { try head()?.revision }

  /// The device of a store; nil for one that has none yet. Work is proportional to the commits that it keeps.
  ///
  /// - Throws: `StorageError`, or `SyncDecodingError` for a record that is damaged.
  func load(_ transaction: ReplicaTransaction?) throws -> Device<StoreReplica>? {
    guard let kept = try self.head() else { return nil }
    let head = kept.device
    var commits: [KeptCommit] = []
    var siteVersion = kept.first
    while siteVersion <= head.lastSiteVersion {
      guard let bytes = try state.longState(Name.commit(siteVersion)) else { throw missing(siteVersion) }
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
  ///
  /// - Returns: The revision of what is kept.
  @discardableResult
  func save(_ device: inout Device<StoreReplica>, _ transaction: ReplicaTransaction) throws -> UInt64 {
    let changes = device.takeChanges()
    for (siteVersion, commit) in changes.commits {
      try state.setLongState(Name.commit(siteVersion), commit?.encoded(site: changes.head.site))
      if commit == nil { try state.setState(Name.waiting(siteVersion), nil) }
    }
    for (siteVersion, waiting) in changes.waiting {
      try state.setState(Name.waiting(siteVersion), waiting.map { Self.bytes($0) })
    }
    for (object, details) in changes.details {
      let former = try transaction.formerLink(of: object)
      let link = try transaction.link(of: object) ?? former
      if let former, former != link { try setDetails(nil, former) }
      if let link { try setDetails(details, link) }
    }
    if let exceptions = changes.viewExceptions {
      var encoder = SyncEncoder()
      encoder.writer.count(exceptions.count)
      for object in exceptions { object.encode(into: &encoder) }
      try state.setState(Name.exceptions, exceptions.isEmpty ? nil : encoder.writer.bytes)
    }
    return try save(
      Head(first: device.keptCommits.first?.siteVersion ?? changes.head.lastSiteVersion + 1, device: changes.head))
  }

  private func setDetails(_ details: [UInt8]?, _ link: ObjectLink) throws {
    guard try state.elements(link, StoreReplica.detailsColumn) != details else { return }
    try state.setElements(link, StoreReplica.detailsColumn, details)
  }

  private func save(_ head: Head) throws -> UInt64 {
    var head = head
    if let kept = try self.head() {
      guard kept.first != head.first || kept.device != head.device else { return kept.revision }
      head.revision = kept.revision + 1
    }
    try state.setState(Name.head, head.bytes)
    return head.revision
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
