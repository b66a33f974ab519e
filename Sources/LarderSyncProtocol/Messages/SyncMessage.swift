/// A message of a kind that this version does not know and may leave unread.
public struct UnknownMessage: Hashable, Sendable {
  /// The kind, at least `SyncMessage.firstOptionalKind`.
  public let kind: UInt64
  /// Everything after the kind's flags.
  public let body: [UInt8]

  /// A message; nil for a kind that may not be left unread.
  public init?(kind: UInt64, body: [UInt8]) {
    guard kind >= SyncMessage.firstOptionalKind else { return nil }
    self.kind = kind
    self.body = body
  }
}

/// A message between the two sides.
public enum SyncMessage: Hashable, Sendable {
  /// The device greets.
  case hello(Hello)
  /// The server answers the greeting.
  case welcome(Welcome)
  /// The device sends a newer token in the session.
  case authenticate(token: SyncText)
  /// The server has accepted the token, until a time in milliseconds since 1970.
  case authenticated(until: UInt64)
  /// The device says what it wants.
  case subscribe(Subscribe)
  /// The device sends commits.
  case upload(Upload)
  /// The server has merged commits.
  case acknowledge(Acknowledgement)
  /// The server says which operations it did not accept, and why.
  case refused([RefusedOperation])
  /// The server sends records.
  case download(Download)
  /// The server begins to send the state of objects.
  case bootstrapBegin(BootstrapBegin)
  /// The server sends a page of the state of objects.
  case bootstrapPage(BootstrapPage)
  /// The server has sent the state of all objects.
  case bootstrapEnd(BootstrapEnd)
  /// The device asks for a mark, and the server sends it once everything is sent that was there when it was asked.
  case mark(UInt64)
  /// A side could not do something.
  case failure(SyncFailure)
  /// The other side may send so many bytes more.
  case credit(UInt64)
  /// A side wants to hear of the other one.
  case ping(UInt64)
  /// The answer to a ping, with its number.
  case pong(UInt64)
  /// The device wants the server to know these classes.
  case schemaPush(SyncSchema)
  /// The server says which classes it knows.
  case schema(SyncSchema)
  /// Something of a newer minor version, which is left unread.
  case unknown(UnknownMessage)

  /// Kinds from here on may be left unread by a side that does not know them.
  public static let firstOptionalKind: UInt64 = 64

  /// The number of the kind.
  public var kind: UInt64 {
    switch self {
    case .hello: 1
    case .welcome: 2
    case .authenticate: 3
    case .authenticated: 4
    case .subscribe: 5
    case .upload: 6
    case .acknowledge: 7
    case .refused: 8
    case .download: 9
    case .bootstrapBegin: 10
    case .bootstrapPage: 11
    case .bootstrapEnd: 12
    case .mark: 13
    case .failure: 14
    case .credit: 15
    case .ping: 16
    case .pong: 17
    case .schemaPush: 18
    case .schema: 19
    case .unknown(let message): message.kind
    }
  }
}

extension SyncMessage {
  /// The fields of the message, without its kind.
  func encodeBody(into encoder: inout SyncEncoder) {
    switch self {
    case .hello(let value): value.encode(into: &encoder)
    case .welcome(let value): value.encode(into: &encoder)
    case .authenticate(let token): encoder.writer.text(token)
    case .authenticated(let value), .mark(let value), .credit(let value), .ping(let value), .pong(let value):
      encoder.writer.varint(value)
    case .subscribe(let value): value.encode(into: &encoder)
    case .upload(let value): value.encode(into: &encoder)
    case .acknowledge(let value): value.encode(into: &encoder)
    case .refused(let values): encoder.array(values)
    case .download(let value): value.encode(into: &encoder)
    case .bootstrapBegin(let value): value.encode(into: &encoder)
    case .bootstrapPage(let value): value.encode(into: &encoder)
    case .bootstrapEnd(let value): value.encode(into: &encoder)
    case .failure(let value): value.encode(into: &encoder)
    case .schemaPush(let value), .schema(let value): value.encode(into: &encoder)
    case .unknown(let value): encoder.writer.raw(value.body)
    }
  }

  /// The message of a kind.
  init(kind: UInt64, from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    switch kind {
    case 1: self = .hello(try Hello(from: &decoder))
    case 2: self = .welcome(try Welcome(from: &decoder))
    case 3: self = .authenticate(token: try decoder.reader.text())
    case 4: self = .authenticated(until: try decoder.reader.varint())
    case 5: self = .subscribe(try Subscribe(from: &decoder))
    case 6: self = .upload(try Upload(from: &decoder))
    case 7: self = .acknowledge(try Acknowledgement(from: &decoder))
    case 8: self = .refused(try decoder.array(eachAtLeast: 7))
    case 9: self = .download(try Download(from: &decoder))
    case 10: self = .bootstrapBegin(try BootstrapBegin(from: &decoder))
    case 11: self = .bootstrapPage(try BootstrapPage(from: &decoder))
    case 12: self = .bootstrapEnd(try BootstrapEnd(from: &decoder))
    default: self = try SyncMessage(later: kind, from: &decoder)
    }
  }

  private init(later kind: UInt64, from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    switch kind {
    case 13: self = .mark(try decoder.reader.varint())
    case 14: self = .failure(try SyncFailure(from: &decoder))
    case 15: self = .credit(try decoder.reader.varint())
    case 16: self = .ping(try decoder.reader.varint())
    case 17: self = .pong(try decoder.reader.varint())
    case 18: self = .schemaPush(try SyncSchema(from: &decoder))
    case 19: self = .schema(try SyncSchema(from: &decoder))
    default:
      let start = decoder.reader.position
      guard let message = UnknownMessage(kind: kind, body: try decoder.reader.raw(decoder.reader.left)) else {
        throw SyncDecodingError(.unknownTag(kind, of: "messages"), at: start)
      }
      self = .unknown(message)
    }
  }
}
