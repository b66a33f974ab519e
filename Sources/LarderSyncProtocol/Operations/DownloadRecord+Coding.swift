extension ObjectDelta: SyncCodable {
  public func encode(into encoder: inout SyncEncoder) {
    object.encode(into: &encoder)
    switch change {
    case .cells(let cells):
      encoder.writer.byte(0)
      encoder.array(cells)
    case .whole(let properties):
      encoder.writer.byte(1)
      encoder.properties(properties)
    case .columns(let properties):
      encoder.writer.byte(2)
      encoder.properties(properties)
    case .gone: encoder.writer.byte(3)
    }
  }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    let object = try ObjectName(from: &decoder)
    let start = decoder.reader.position
    let tag = try decoder.reader.byte()
    switch tag {
    case 0: self.init(object, .cells(try decoder.array(eachAtLeast: 3)))
    case 1: self.init(object, .whole(try decoder.properties()))
    case 2: self.init(object, .columns(try decoder.properties()))
    case 3: self.init(object, .gone)
    default: throw SyncDecodingError(.unknownTag(UInt64(tag), of: "changes"), at: start)
    }
  }
}

extension SyncEncoder {
  /// Objects in order of their names.
  mutating func objects(_ objects: [ObjectDelta]) {
    array(objects)
  }
}

extension SyncDecoder {
  mutating func objects() throws(SyncDecodingError) -> [ObjectDelta] {
    let count = try reader.count(eachAtLeast: 3)
    var objects: [ObjectDelta] = []
    objects.reserveCapacity(count)
    for _ in 0..<count {
      let start = reader.position
      let object = try ObjectDelta(from: &self)
      if let last = objects.last { try check(last.object < object.object, "objects", at: start) }
      objects.append(object)
    }
    return objects
  }
}

extension DownloadRecord: SyncCodable {
  public func encode(into encoder: inout SyncEncoder) { encode(into: &encoder, after: nil) }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    self = try DownloadRecord(from: &decoder, after: nil)
  }

  /// The record, its version and time as differences to those of the record before. Its site is left out when the device that gets it made the commit.
  func encode(into encoder: inout SyncEncoder, after previous: DownloadRecord?) {
    encoder.writer.varint(version &- (previous?.version ?? 0))
    encoder.writer.signed(Int64(bitPattern: time.rawValue &- (previous?.time.rawValue ?? 0)))
    let author = encoder.author
    let form: AuthorForm = own == nil ? .foreign : site == author.site ? .own : .ownElsewhere
    encoder.writer.byte(form.rawValue)
    if form != .own { encoder.site(site) }
    encoder.author = Authorship(site: site, siteVersion: own?.siteVersion)
    own?.encode(into: &encoder)
    encoder.objects(objects)
    encoder.author = author
  }

  init(from decoder: inout SyncDecoder, after previous: DownloadRecord?) throws(SyncDecodingError) {
    let start = decoder.reader.position
    let difference = try decoder.reader.varint()
    let (version, overflow) = (previous?.version ?? 0).addingReportingOverflow(difference)
    guard !overflow else { throw SyncDecodingError(.overflow, at: start) }
    try decoder.check(previous == nil || difference > 0, "versions", at: start)
    let moved = UInt64(bitPattern: try decoder.reader.signed())
    let author = decoder.author
    let form = try AuthorForm(from: &decoder)
    let site = try form.site(from: &decoder)
    decoder.author = Authorship(site: site)
    // The marker's own names may leave out the commit, whose number comes first in it.
    let own = form == .foreign ? nil : try OwnMarker(in: &decoder)
    let objects = try decoder.objects()
    decoder.author = author
    self.init(
      version: version, time: SyncTime(rawValue: (previous?.time.rawValue ?? 0) &+ moved), site: site, own: own,
      objects: objects)
  }
}

/// The form of a record's author: the site that made the commit, and whether a marker follows.
private enum AuthorForm: UInt8 {
  case foreign = 0
  case own = 1
  /// For a record by itself, away from the session of its author.
  case ownElsewhere = 2

  init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    let start = decoder.reader.position
    let byte = try decoder.reader.byte()
    guard let form = AuthorForm(rawValue: byte) else {
      throw SyncDecodingError(.unknownTag(UInt64(byte), of: "authors"), at: start)
    }
    self = form
  }

  func site(from decoder: inout SyncDecoder) throws(SyncDecodingError) -> SiteID {
    let start = decoder.reader.position
    if self == .own {
      guard let site = decoder.author.site else { throw SyncDecodingError(.unknownTag(1, of: "authors"), at: start) }
      return site
    }
    let site = try decoder.site()
    guard self == .foreign || site != decoder.author.site else {
      throw SyncDecodingError(.notCanonical("the own site in another form"), at: start)
    }
    return site
  }
}

extension OwnMarker {
  /// The marker of the record that is being read: its commit is the author's from here on.
  fileprivate init(in decoder: inout SyncDecoder) throws(SyncDecodingError) {
    var ahead = decoder.reader
    decoder.author.siteVersion = try ahead.varint()
    try self.init(from: &decoder)
  }
}
