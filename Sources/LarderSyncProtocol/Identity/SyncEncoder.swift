/// Writes the canonical bytes of one message, or of one value by itself. Names of classes and properties, and sites, are written once and
/// have numbers from then on.
public struct SyncEncoder: Sendable {
  /// The bytes so far.
  public var writer: ByteWriter
  var author: Authorship
  private var names = Interned<SyncText>()
  private var sites = Interned<SiteID>()

  /// An encoder. Names of what `site` made are short then, and a decoder has to know that site from elsewhere.
  public init(site: SiteID? = nil, capacity: Int = 64) {
    writer = ByteWriter(capacity: capacity)
    author = Authorship(site: site)
  }

  /// The name of a class or property: twice its length and the text, or twice its number plus 1.
  public mutating func name(_ name: SyncText) {
    if let number = names.number(of: name) {
      writer.varint(UInt64(number) << 1 | 1)
    } else {
      names.append(name)
      writer.varint(UInt64(name.string.utf8.count) << 1)
      writer.raw(name.string.utf8)
    }
  }

  /// A site: 0 and its bytes, or its number plus 1.
  public mutating func site(_ site: SiteID) {
    if let number = sites.number(of: site) {
      writer.varint(UInt64(number) + 1)
    } else {
      sites.append(site)
      writer.byte(0)
      site.write(to: &writer)
    }
  }

  /// The name of something that an operation made, without what is known from where it is written.
  public mutating func id(_ id: OperationID) {
    guard id != .root else { return writer.varint(IDForm.root) }
    if id.site == author.site {
      guard id.siteVersion == author.siteVersion else {
        writer.varint(IDForm.ownSite)
        writer.varint(id.siteVersion)
        return numbers(id)
      }
      guard id.operation == author.operation else {
        writer.varint(IDForm.ownCommit)
        return numbers(id)
      }
      writer.varint(IDForm.ownOperation)
      return writer.varint(UInt64(id.index))
    }
    if let number = sites.number(of: id.site) {
      writer.varint(IDForm.firstKnownSite + UInt64(number))
    } else {
      sites.append(id.site)
      writer.varint(IDForm.newSite)
      id.site.write(to: &writer)
    }
    writer.varint(id.siteVersion)
    numbers(id)
  }

  /// The name of a place in a list, or nil for an end of the list. `.root` is no place.
  public mutating func place(_ id: OperationID?) {
    self.id(id ?? .root)
  }

  private mutating func numbers(_ id: OperationID) {
    writer.varint(UInt64(id.operation))
    writer.varint(UInt64(id.index))
  }
}
