/// Reads what `SyncEncoder` writes: the canonical bytes of one message, or of one value by itself.
public struct SyncDecoder: Sendable {
  /// The bytes that are left.
  public var reader: ByteReader
  var author: Authorship
  /// The number of containers that the next value is within.
  var depth = 0
  private var names = Interned<SyncText>()
  private var sites = Interned<SiteID>()

  /// A decoder of bytes; `site` is the one that the encoder was given.
  public init(_ bytes: [UInt8], limits: DecodingLimits = .standard, site: SiteID? = nil) {
    self.init(reader: ByteReader(bytes, limits: limits), site: site)
  }

  init(reader: ByteReader, site: SiteID?) {
    self.reader = reader
    author = Authorship(site: site)
  }

  /// The name of a class or property.
  public mutating func name() throws(SyncDecodingError) -> SyncText {
    let start = reader.position
    let code = try reader.varint()
    if code & 1 == 1 {
      guard code >> 1 < UInt64(names.elements.count) else {
        throw SyncDecodingError(.unknownTag(code, of: "names"), at: start)
      }
      return names.elements[Int(code >> 1)]
    }
    guard code >> 1 <= UInt64(reader.left) else { throw SyncDecodingError(.countTooLarge(code >> 1), at: start) }
    let name = try reader.text(count: Int(code >> 1))
    guard names.number(of: name) == nil else {
      throw SyncDecodingError(.notCanonical("a name is given twice"), at: start)
    }
    names.append(name)
    return name
  }

  /// A site.
  public mutating func site() throws(SyncDecodingError) -> SiteID {
    let start = reader.position
    let code = try reader.varint()
    return code == 0 ? try newSite() : try knownSite(code - 1, at: start)
  }

  /// The name of something that an operation made.
  public mutating func id() throws(SyncDecodingError) -> OperationID {
    let start = reader.position
    let form = try reader.varint()
    if form == IDForm.root { return .root }
    let id = try id(form: form, at: start)
    guard id != .root else { throw SyncDecodingError(.notCanonical("the root in another form"), at: start) }
    return id
  }

  /// The name of a place in a list, or nil for an end of the list.
  public mutating func place() throws(SyncDecodingError) -> OperationID? {
    let id = try id()
    return id == .root ? nil : id
  }

  private mutating func id(form: UInt64, at start: Int) throws(SyncDecodingError) -> OperationID {
    if form >= IDForm.newSite {
      let site = form == IDForm.newSite ? try newSite() : try knownSite(form - IDForm.firstKnownSite, at: start)
      guard site != author.site else {
        throw SyncDecodingError(.notCanonical("the own site in another form"), at: start)
      }
      let siteVersion = try reader.varint()
      return OperationID(
        site: site, siteVersion: siteVersion, operation: try reader.varint32(), index: try reader.varint32())
    }
    guard let site = author.site else {
      throw SyncDecodingError(.unknownTag(form, of: "names without an author"), at: start)
    }
    var siteVersion = author.siteVersion
    var operation = author.operation
    if form == IDForm.ownSite { siteVersion = try reader.varint() }
    if form != IDForm.ownOperation { operation = try reader.varint32() }
    guard let siteVersion, let operation else {
      throw SyncDecodingError(.unknownTag(form, of: "names without a commit"), at: start)
    }
    let isSameCommit = siteVersion == author.siteVersion
    guard form != IDForm.ownSite || !isSameCommit, form != IDForm.ownCommit || operation != author.operation else {
      throw SyncDecodingError(.notCanonical("a name says what is known"), at: start)
    }
    return OperationID(site: site, siteVersion: siteVersion, operation: operation, index: try reader.varint32())
  }

  private mutating func newSite() throws(SyncDecodingError) -> SiteID {
    let start = reader.position
    let site = try SiteID(from: &reader)
    guard sites.number(of: site) == nil else {
      throw SyncDecodingError(.notCanonical("a site is given twice"), at: start)
    }
    sites.append(site)
    return site
  }

  private func knownSite(_ number: UInt64, at start: Int) throws(SyncDecodingError) -> SiteID {
    guard number < UInt64(sites.elements.count) else {
      throw SyncDecodingError(.unknownTag(number, of: "sites"), at: start)
    }
    return sites.elements[Int(number)]
  }
}
