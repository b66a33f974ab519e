import LarderStorage
import LarderSyncProtocol

/// A client reset that has begun: everything of the server's is on its way, and the store is as it was (Y-39).
struct ResetRecord: Hashable, Sendable {
  static let stateName = "reset"
  private static let form: UInt64 = 1

  /// The cause, in words.
  var cause: SyncText
  /// True if changes that were not sent are given up.
  var discards: Bool
  /// True if the store is copied before anything of it changes: what it has may be nowhere else (Y-43).
  var keepsCopy: Bool
  /// The copy, once the reset is done and until the program has heard of it; nil before.
  var copy: String?

  init(cause: SyncText, discards: Bool, keepsCopy: Bool) {
    self.cause = cause
    self.discards = discards
    self.keepsCopy = keepsCopy
  }

  /// The end of a session whose device gives up what it has not sent.
  static let comesBack = SyncFailure(
    .server, action: .reconnect, message: "The device gives up what it has not sent, and comes back as a new one.")

  /// The reset of a store; nil when none has begun.
  static func load(_ state: SyncWriting) throws -> ResetRecord? {
    try state.state(stateName).map { try ResetRecord(decoding: $0) }
  }

  /// Keeps the reset.
  func save(_ state: SyncWriting) throws { try state.setState(Self.stateName, encoded()) }

  /// Forgets the reset.
  static func remove(_ state: SyncWriting) throws { try state.setState(stateName, nil) }
}

extension ResetRecord: SyncCodable {
  func encode(into encoder: inout SyncEncoder) {
    encoder.writer.varint(Self.form)
    encoder.writer.text(cause)
    for flag in [discards, keepsCopy, copy != nil] { encoder.writer.byte(flag ? 1 : 0) }
    if let copy { encoder.writer.text(SyncText(copy)) }
  }

  init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    let start = decoder.reader.position
    let form = try decoder.reader.varint()
    guard form == Self.form else { throw SyncDecodingError(.unknownTag(form, of: "records of resets"), at: start) }
    cause = try decoder.reader.text()
    discards = try decoder.reader.byte() != 0
    keepsCopy = try decoder.reader.byte() != 0
    copy = try decoder.reader.byte() == 0 ? nil : try decoder.reader.text().string
  }
}
