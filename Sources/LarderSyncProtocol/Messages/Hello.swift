/// A site with what proves that it is this one.
public struct SiteCredential: Hashable, Sendable {
  /// The site.
  public let site: SiteID
  /// The secret that the server gave the device together with the site.
  public let secret: [UInt8]

  /// A site with its secret.
  public init(site: SiteID, secret: [UInt8]) {
    self.site = site
    self.secret = secret
  }
}

/// The first message of a session, from the device.
public struct Hello: Hashable, Sendable {
  /// The oldest version that the device speaks.
  public let oldest: ProtocolVersion
  /// The newest version that the device speaks.
  public let newest: ProtocolVersion
  /// The set of data that the device wants.
  public let tenant: SyncText
  /// The token that says who the user is.
  public let token: SyncText
  /// The name of the program, for the server's log.
  public let agent: SyncText
  /// The site; nil for a device that has none yet.
  public let credential: SiteCredential?
  /// The random number that a store draws when it becomes a copy of another.
  public let incarnation: UInt64
  /// The fingerprint of the device's schema.
  public let schemaFingerprint: UInt64
  /// The position of the device.
  public let position: SyncPosition
  /// True if the device expands compressed bodies.
  public let expands: Bool

  /// A greeting.
  public init(
    oldest: ProtocolVersion = .current, newest: ProtocolVersion = .current, tenant: SyncText, token: SyncText,
    agent: SyncText, credential: SiteCredential?, incarnation: UInt64, schemaFingerprint: UInt64,
    position: SyncPosition, expands: Bool
  ) {
    self.oldest = oldest
    self.newest = newest
    self.tenant = tenant
    self.token = token
    self.agent = agent
    self.credential = credential
    self.incarnation = incarnation
    self.schemaFingerprint = schemaFingerprint
    self.position = position
    self.expands = expands
  }
}

extension SiteCredential: SyncCodable {
  public func encode(into encoder: inout SyncEncoder) {
    site.encode(into: &encoder)
    encoder.writer.data(secret)
  }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    site = try SiteID(from: &decoder)
    secret = try decoder.reader.data()
  }
}

extension Hello: SyncCodable {
  public func encode(into encoder: inout SyncEncoder) {
    oldest.encode(into: &encoder)
    newest.encode(into: &encoder)
    encoder.writer.text(tenant)
    encoder.writer.text(token)
    encoder.writer.text(agent)
    encoder.optional(credential)
    encoder.writer.fixed64(incarnation)
    encoder.writer.fixed64(schemaFingerprint)
    position.encode(into: &encoder)
    encoder.flag(expands)
  }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    oldest = try ProtocolVersion(from: &decoder)
    newest = try ProtocolVersion(from: &decoder)
    tenant = try decoder.reader.text()
    token = try decoder.reader.text()
    agent = try decoder.reader.text()
    credential = try decoder.optional()
    incarnation = try decoder.reader.fixed64()
    schemaFingerprint = try decoder.reader.fixed64()
    position = try SyncPosition(from: &decoder)
    expands = try decoder.flag()
  }
}
