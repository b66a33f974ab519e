/// The kind of a failure, as a number that stays the same in every version. A number that is not known is treated as its action says.
public struct SyncFailureCode: RawRepresentable, Hashable, Sendable {
  public let rawValue: UInt16

  public init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// The versions of the two sides have nothing in common.
  public static let version = SyncFailureCode(rawValue: 100)
  /// Bytes that are no message.
  public static let malformed = SyncFailureCode(rawValue: 101)
  /// A message that may not come now, or not from this side.
  public static let unexpected = SyncFailureCode(rawValue: 102)
  /// A frame that is larger than the session allows.
  public static let frameTooLarge = SyncFailureCode(rawValue: 103)
  /// More bytes than the credit allowed.
  public static let overCredit = SyncFailureCode(rawValue: 104)

  /// The token is not valid.
  public static let token = SyncFailureCode(rawValue: 200)
  /// The token has expired.
  public static let tokenExpired = SyncFailureCode(rawValue: 201)
  /// The user may not use the tenant.
  public static let tenant = SyncFailureCode(rawValue: 202)
  /// The site's secret is wrong.
  public static let siteSecret = SyncFailureCode(rawValue: 203)

  /// Too much is waiting at the server.
  public static let busy = SyncFailureCode(rawValue: 300)
  /// The site sends too much.
  public static let rate = SyncFailureCode(rawValue: 301)
  /// The server is being stopped.
  public static let stopping = SyncFailureCode(rawValue: 302)
  /// The tenant has used what it may use.
  public static let quota = SyncFailureCode(rawValue: 303)
  /// The server failed.
  public static let server = SyncFailureCode(rawValue: 304)

  /// The site has a newer session.
  public static let fenced = SyncFailureCode(rawValue: 400)
  /// An upload does not begin with the commit after the last one.
  public static let uploadGap = SyncFailureCode(rawValue: 401)
  /// A commit whose names are not its own, or that is otherwise not what a device makes.
  public static let commit = SyncFailureCode(rawValue: 402)

  /// A query that the server does not understand or allow.
  public static let query = SyncFailureCode(rawValue: 500)
  /// The schema does not fit the server's.
  public static let schema = SyncFailureCode(rawValue: 501)
  /// The server no longer serves the device's schema.
  public static let schemaTooOld = SyncFailureCode(rawValue: 502)
  /// The device may not change the schema.
  public static let schemaForbidden = SyncFailureCode(rawValue: 503)
  /// The device's state does not fit the server's, and it has to start again.
  public static let reset = SyncFailureCode(rawValue: 504)
}

/// The action of the device after a failure.
public enum SyncFailureAction: UInt8, Hashable, Sendable, CaseIterable {
  /// Goes on: the session is not affected.
  case carryOn = 0
  /// Connects again, after the time that is given or after increasing times.
  case reconnect = 1
  /// Stays connected, and sends what was refused again after the time that is given.
  case resend = 2
  /// Gets a new token, and connects again with it.
  case refreshToken = 3
  /// Makes a client reset.
  case reset = 4
  /// Ends the session until the program does something about it.
  case stop = 5
}

/// A failure of a side, with the action of the device.
public struct SyncFailure: Hashable, Sendable {
  /// The kind of the failure.
  public let code: SyncFailureCode
  /// The action of the device.
  public let action: SyncFailureAction
  /// The description of what happened, for a log or a programmer.
  public let message: SyncText
  /// The subject of the failure, such as the predicate of a query or the name of a class.
  public let subject: SyncText?
  /// Milliseconds to wait before the action.
  public let retryAfter: UInt32?

  /// A failure.
  public init(
    _ code: SyncFailureCode, action: SyncFailureAction, message: SyncText, subject: SyncText? = nil,
    retryAfter: UInt32? = nil
  ) {
    self.code = code
    self.action = action
    self.message = message
    self.subject = subject
    self.retryAfter = retryAfter
  }
}

extension SyncFailure: SyncCodable {
  public func encode(into encoder: inout SyncEncoder) {
    encoder.writer.varint(UInt64(code.rawValue))
    encoder.writer.byte(action.rawValue)
    encoder.writer.text(message)
    encoder.flag(subject != nil)
    if let subject { encoder.writer.text(subject) }
    encoder.flag(retryAfter != nil)
    if let retryAfter { encoder.writer.varint(UInt64(retryAfter)) }
  }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    let start = decoder.reader.position
    guard let code = UInt16(exactly: try decoder.reader.varint()) else { throw SyncDecodingError(.overflow, at: start) }
    self.code = SyncFailureCode(rawValue: code)
    action = try decoder.tag("actions")
    message = try decoder.reader.text()
    subject = try decoder.flag() ? try decoder.reader.text() : nil
    retryAfter = try decoder.flag() ? try decoder.reader.varint32() : nil
  }
}
