/// The view of a device, which says which objects it sees: its set of subscriptions, and the rules for reading.
public struct ViewTag: Hashable, Sendable {
  /// The version of the set of subscriptions.
  public let subscriptions: UInt64
  /// The version of the rules, as they apply to the user.
  public let rules: UInt64

  /// A view.
  public init(subscriptions: UInt64, rules: UInt64) {
    self.subscriptions = subscriptions
    self.rules = rules
  }
}

/// The nonces of commits that a device keeps, by which the server finds where its history and the device's part. What matters are those
/// that the server may have: a device with more than `most` names the newest acknowledged ones and the oldest of the others.
public struct RetainedCommits: Hashable, Sendable {
  /// The largest number of commits that a device names: more than those that can be on their way to the server at one time.
  public static let most = 16_384

  /// The `siteVersion` of the first one.
  public let first: UInt64
  /// The nonces of this commit and those that follow it without gaps.
  public let nonces: [UInt64]

  /// Commits from a number on.
  public init(first: UInt64, nonces: [UInt64]) {
    self.first = first
    self.nonces = nonces
  }

  /// The number of the last one, or of the one before `first` without any. Nil for numbers that no device has: commits count from 1, and
  /// stores keep their numbers in 63 bits.
  public var last: UInt64? {
    guard first > 0, first <= UInt64(Int64.max) else { return nil }
    let last = first - 1 + UInt64(nonces.count)
    return last <= UInt64(Int64.max) ? last : nil
  }
}

/// The position of a device.
public struct SyncPosition: Hashable, Sendable {
  /// The epoch of the server's log that the cursor is of.
  public let epoch: UInt64
  /// The cursor that the server gave the device with the last batch; nil when the device needs everything.
  public let cursor: [UInt8]?
  /// The view of which the device has everything up to the cursor; nil for none.
  public let view: ViewTag?
  /// The commits that the device keeps.
  public let retained: RetainedCommits
  /// The bootstrap that the device keeps a part of; nil for none.
  public let bootstrap: BootstrapPosition?

  /// A position.
  public init(
    epoch: UInt64, cursor: [UInt8]?, view: ViewTag?, retained: RetainedCommits, bootstrap: BootstrapPosition? = nil
  ) {
    self.epoch = epoch
    self.cursor = cursor
    self.view = view
    self.retained = retained
    self.bootstrap = bootstrap
  }
}

extension ViewTag: SyncCodable {
  public func encode(into encoder: inout SyncEncoder) {
    encoder.writer.varint(subscriptions)
    encoder.writer.varint(rules)
  }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    let subscriptions = try decoder.reader.varint()
    self.init(subscriptions: subscriptions, rules: try decoder.reader.varint())
  }
}

extension RetainedCommits: SyncCodable {
  public func encode(into encoder: inout SyncEncoder) {
    encoder.writer.varint(first)
    encoder.writer.count(nonces.count)
    for nonce in nonces { encoder.writer.fixed64(nonce) }
  }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    first = try decoder.reader.varint()
    let count = try decoder.reader.count(eachAtLeast: 8)
    var nonces: [UInt64] = []
    nonces.reserveCapacity(count)
    for _ in 0..<count { nonces.append(try decoder.reader.fixed64()) }
    self.nonces = nonces
  }
}

extension SyncPosition: SyncCodable {
  public func encode(into encoder: inout SyncEncoder) {
    encoder.writer.varint(epoch)
    encoder.optionalData(cursor)
    encoder.optional(view)
    retained.encode(into: &encoder)
    encoder.optional(bootstrap)
  }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    epoch = try decoder.reader.varint()
    cursor = try decoder.optionalData()
    view = try decoder.optional()
    retained = try RetainedCommits(from: &decoder)
    bootstrap = try decoder.optional()
  }
}

extension SyncEncoder {
  /// Writes whether there are bytes, and the bytes.
  mutating func optionalData(_ bytes: [UInt8]?) {
    flag(bytes != nil)
    if let bytes { writer.data(bytes) }
  }
}

extension SyncDecoder {
  mutating func optionalData() throws(SyncDecodingError) -> [UInt8]? {
    try flag() ? try reader.data() : nil
  }
}
