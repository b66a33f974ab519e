/// Commits of a device, from the device.
public struct Upload: Hashable, Sendable {
  /// The commits, with numbers that follow each other and the last one merged.
  public let commits: [SyncCommit]

  /// Commits.
  public init(commits: [SyncCommit]) {
    self.commits = commits
  }
}

/// The acknowledgement, from the server, that commits are merged and durable. Their results come later, in the download stream.
public struct Acknowledgement: Hashable, Sendable {
  /// The last commit that is durable; all before it are.
  public let siteVersion: UInt64
  /// The time that the server gave that commit in place of the device's, when the device's clock was too far from its own.
  public let clamped: SyncTime?

  /// An acknowledgement.
  public init(siteVersion: UInt64, clamped: SyncTime? = nil) {
    self.siteVersion = siteVersion
    self.clamped = clamped
  }
}

/// An operation that the server did not accept, for the program that made it.
public struct RefusedOperation: Hashable, Sendable {
  /// The commit.
  public let siteVersion: UInt64
  /// The operation's index in it.
  public let operation: UInt32
  /// The object.
  public let object: ObjectName
  /// The reason for the refusal.
  public let reason: RefusalReason
  /// The reason in words.
  public let message: SyncText

  /// A refused operation.
  public init(siteVersion: UInt64, operation: UInt32, object: ObjectName, reason: RefusalReason, message: SyncText) {
    self.siteVersion = siteVersion
    self.operation = operation
    self.object = object
    self.reason = reason
    self.message = message
  }
}

extension Upload: SyncCodable {
  public func encode(into encoder: inout SyncEncoder) { encoder.array(commits) }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    // Number, time, nonce, number of operations.
    commits = try decoder.array(eachAtLeast: 18)
  }
}

extension Acknowledgement: SyncCodable {
  public func encode(into encoder: inout SyncEncoder) {
    encoder.writer.varint(siteVersion)
    encoder.optional(clamped)
  }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    siteVersion = try decoder.reader.varint()
    clamped = try decoder.optional()
  }
}

extension RefusedOperation: SyncCodable {
  public func encode(into encoder: inout SyncEncoder) {
    encoder.writer.varint(siteVersion)
    encoder.writer.varint(UInt64(operation))
    object.encode(into: &encoder)
    reason.encode(into: &encoder)
    encoder.writer.text(message)
  }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    siteVersion = try decoder.reader.varint()
    operation = try decoder.reader.varint32()
    object = try ObjectName(from: &decoder)
    reason = try RefusalReason(from: &decoder)
    message = try decoder.reader.text()
  }
}
