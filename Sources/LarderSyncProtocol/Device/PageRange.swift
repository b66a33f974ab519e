/// The range of objects that a page of a bootstrap is about, and the version at which it was read.
struct PageRange: Hashable, Sendable {
  let className: SyncText
  let after: PrimaryKey?
  private(set) var through: PrimaryKey?
  let version: UInt64

  init(_ page: BootstrapPage) {
    className = page.className
    after = page.after
    through = page.through
    version = page.version
  }

  func contains(_ object: ObjectName) -> Bool {
    object.className == className && after.map { $0 < object.key } ?? true
      && through.map { object.key <= $0 } ?? true
  }

  /// Adds a range, to the last one where it continues that.
  static func append(_ range: PageRange, to ranges: inout [PageRange]) {
    if let last = ranges.last, last.className == range.className, last.version == range.version,
      let end = last.through, end == range.after
    {
      ranges[ranges.count - 1].through = range.through
    } else {
      ranges.append(range)
    }
  }
}

extension PageRange: SyncCodable {
  func encode(into encoder: inout SyncEncoder) {
    encoder.name(className)
    encoder.optional(after)
    encoder.optional(through)
    encoder.writer.varint(version)
  }

  init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    className = try decoder.name()
    after = try decoder.optional()
    through = try decoder.optional()
    version = try decoder.reader.varint()
  }
}
