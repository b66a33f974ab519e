import LarderStorage
import LarderSyncProtocol

/// A bootstrap that is kept aside in the store until it has arrived whole, and how much of it is applied (Y-19).
///
/// One without its end goes on in a later session after the last page that is here, if the server still can; else it begins again. One with its end is
/// applied whatever happens to the connection. Where parts are applied as they arrive, and the rest does not come, everything is needed again.
struct StagedBootstrap: Hashable, Sendable {
  static let stateName = "bootstrap"

  /// The number of parts that were kept.
  private(set) var parts: UInt64 = 0
  /// The number of parts that are applied, and were removed.
  private(set) var appliedParts: UInt64 = 0
  /// Objects in the parts.
  private(set) var objects: UInt64 = 0
  /// Objects in the parts that are applied.
  private(set) var appliedObjects: UInt64 = 0
  /// True if objects that no page names are not in the view.
  let isFull: Bool
  /// The view that it leads to.
  let view: ViewTag
  /// The bytes that the server gave to continue the bootstrap.
  let resumption: [UInt8]
  /// The end of the last page; nil before the first.
  private var last: BootstrapPosition?
  /// The end; nil while more is to come.
  var end: BootstrapEnd?

  /// A bootstrap of which nothing has arrived.
  init(_ begin: BootstrapBegin) {
    isFull = begin.isFull
    view = begin.view
    resumption = begin.resumption
  }

  /// Returns the position at which the bootstrap may go on for a version of the subscriptions; nil where it cannot.
  func position(subscriptions: UInt64) -> BootstrapPosition? {
    end == nil && !isPartial && view.subscriptions == subscriptions ? last : nil
  }

  /// True if parts of it are applied: until the rest is, the store is at no version of the server's.
  var isPartial: Bool { appliedParts > 0 }

  /// True if there are parts that are not applied.
  var hasParts: Bool { appliedParts < parts }

  private static func name(_ part: UInt64) -> String { "bootstrap.part." + String(part, radix: 16) }

  /// The bootstrap that a store keeps; nil without one.
  static func load(_ state: SyncWriting) throws -> StagedBootstrap? {
    try state.state(stateName).map { try StagedBootstrap(decoding: $0) }
  }

  /// Keeps the count of parts and the end.
  func save(_ state: SyncWriting) throws { try state.setState(Self.stateName, encoded()) }

  /// Keeps a page as parts of so many objects.
  mutating func stage(_ page: BootstrapPage, by objects: Int, _ state: SyncWriting) throws {
    for part in page.parts(of: objects) {
      try state.setLongState(Self.name(parts), part.encoded())
      parts += 1
      self.objects += UInt64(part.objects.count)
    }
    last = BootstrapPosition(
      resumption: resumption, view: view, className: page.className, through: page.through)
  }

  /// Takes the next part that is not applied; nil when all are.
  mutating func takePart(_ state: SyncWriting) throws -> BootstrapPage? {
    guard appliedParts < parts else { return nil }
    let name = Self.name(appliedParts)
    guard let bytes = try state.longState(name) else {
      throw StorageError(.corrupted, "Part \(appliedParts) of a bootstrap is missing: synchronise from the start.")
    }
    let page = try BootstrapPage(decoding: bytes)
    try state.setLongState(name, nil)
    appliedParts += 1
    appliedObjects += UInt64(page.objects.count)
    return page
  }

  /// Forgets everything of a bootstrap.
  func remove(_ state: SyncWriting) throws {
    for part in appliedParts..<parts { try state.setLongState(Self.name(part), nil) }
    try state.setState(Self.stateName, nil)
  }
}

extension StagedBootstrap {
  /// Forgets one that has not arrived whole.
  func drop(in transaction: DeviceTransaction) throws {
    try remove(transaction.state)
    guard isPartial else { return }
    transaction.device.needEverything()
    transaction.server.cursor = nil
  }

  /// Notes the position that it leads to, once all parts are applied.
  func complete(in transaction: DeviceTransaction) throws {
    guard let end else { return }
    transaction.device.complete(end)
    transaction.removeSent()
    transaction.server.cursor = end.cursor
    try remove(transaction.state)
  }
}

extension StagedBootstrap: SyncCodable {
  func encode(into encoder: inout SyncEncoder) {
    for number in [parts, appliedParts, objects, appliedObjects] { encoder.writer.varint(number) }
    BootstrapBegin(view: view, isFull: isFull, objects: 0, bytes: 0, resumption: resumption).encode(into: &encoder)
    encoder.writer.byte(last == nil ? 0 : 1)
    last?.encode(into: &encoder)
    encoder.writer.byte(end == nil ? 0 : 1)
    end?.encode(into: &encoder)
  }

  init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    parts = try decoder.reader.varint()
    appliedParts = try decoder.reader.varint()
    objects = try decoder.reader.varint()
    appliedObjects = try decoder.reader.varint()
    let begin = try BootstrapBegin(from: &decoder)
    (isFull, view, resumption) = (begin.isFull, begin.view, begin.resumption)
    last = try decoder.reader.byte() == 0 ? nil : try BootstrapPosition(from: &decoder)
    end = try decoder.reader.byte() == 0 ? nil : try BootstrapEnd(from: &decoder)
  }
}

extension BootstrapPage {
  /// The page as pages of fewer objects, whose ranges together are its own.
  func parts(of size: Int) -> [BootstrapPage] {
    guard objects.count > size else { return [self] }
    var result: [BootstrapPage] = []
    var start = 0
    var lower = after
    while start < objects.count {
      let end = min(start + size, objects.count)
      let upper = end == objects.count ? through : objects[end - 1].object.key
      result.append(
        BootstrapPage(
          part: part, className: className, after: lower, through: upper, version: version,
          ownSiteVersion: ownSiteVersion, objects: Array(objects[start..<end])))
      lower = upper
      start = end
    }
    return result
  }
}
