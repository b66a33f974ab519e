import LarderSyncProtocol

// A merged commit as a row of the log has it. `delta` is: the format, flags, the results unless all are plain, and for each object its name,
// flags, what it is after the commit unless that is what it was, the changes, the columns for the author, and all its properties where a device
// may need it whole. `before` is: the format, and what
// each of the same objects was.

/// The bytes that a change begins with and is marked by.
private enum ChangeForm {
  static let format: UInt8 = 1

  static let isClamped: UInt8 = 1
  static let allPlain: UInt8 = 2

  static let isNew: UInt8 = 1
  static let changesAll: UInt8 = 2
  static let authorNeedsAll: UInt8 = 4
  static let sameSummary: UInt8 = 8
  static let objectFlags: UInt8 = 15
}

extension MergedCommit<ObjectSummary> {
  /// The commit as the log keeps it: one string of bytes for each. `image` has the properties of an object as the commit left it; it is called for
  /// those that a device may need whole, because the row of the object is soon that of a later commit.
  func change(image: (ObjectName) -> [SyncProperty]) -> MergedChange {
    var delta = SyncEncoder(site: site, capacity: 256)
    var before = SyncEncoder()
    delta.writer.byte(ChangeForm.format)
    before.writer.byte(ChangeForm.format)
    let allPlain = results.allSatisfy { $0 == .plain }
    delta.writer.byte((isClamped ? ChangeForm.isClamped : 0) | (allPlain ? ChangeForm.allPlain : 0))
    delta.writer.count(results.count)
    if !allPlain {
      for result in results { result.encode(into: &delta) }
    }
    delta.writer.count(objects.count)
    for object in objects {
      object.encode(into: &delta, image: image)
      object.before.encode(into: &before)
    }
    return MergedChange(time: time.rawValue, delta: delta.writer.bytes, before: before.writer.bytes)
  }

  /// The commit that the log has in a row, all of it.
  ///
  /// - Throws: `SyncStoreError` of kind `damaged` for bytes that `change` does not make.
  init(_ record: ChangeRecord) throws(SyncStoreError) {
    var images: [ObjectName: [SyncProperty]] = [:]
    try self.init(record, images: &images)
  }

  /// The commit of a row, and the objects in it that a device may need whole.
  ///
  /// - Throws: as `init(_:)`.
  init(_ record: ChangeRecord, images: inout [ObjectName: [SyncProperty]]) throws(SyncStoreError) {
    do throws(SyncDecodingError) {
      try self.init(decoding: record, site: try SiteID(decoding: record.site.bytes), images: &images)
    } catch {
      throw SyncStoreError(
        .damaged, "version \(record.version) of the log cannot be read (\(error.reason) at byte \(error.position))")
    }
  }

  private init(
    decoding record: ChangeRecord, site: SiteID, images: inout [ObjectName: [SyncProperty]]
  ) throws(SyncDecodingError) {
    var delta = SyncDecoder(record.delta, limits: .stored, site: site)
    var before = SyncDecoder(record.before, limits: .stored)
    guard let version = UInt64(exactly: record.version), let siteVersion = UInt64(exactly: record.siteVersion) else {
      throw delta.reader.error(.overflow)
    }
    try delta.format()
    try before.format()
    let flags = try delta.flags(upTo: ChangeForm.isClamped | ChangeForm.allPlain)
    let results = try delta.results(allPlain: flags & ChangeForm.allPlain != 0)
    let objects = try delta.touchedObjects(&before, &images)
    try delta.reader.finish()
    try before.reader.finish()
    self.init(
      version: version, site: site, siteVersion: siteVersion, nonce: record.nonce,
      time: SyncTime(rawValue: record.time), isClamped: flags & ChangeForm.isClamped != 0, results: results,
      objects: objects)
  }
}

extension TouchedObject<ObjectSummary> {
  /// True if a device may need the object whole: one whose view it comes into, or that cannot go on from what it has.
  private var needsImage: Bool { after.isAlive && (changesAll || authorNeedsAll || after != before) }

  /// The object without what it was before.
  fileprivate func encode(into encoder: inout SyncEncoder, image: (ObjectName) -> [SyncProperty]) {
    object.encode(into: &encoder)
    let isSame = after == before
    encoder.writer.byte(
      (isNew ? ChangeForm.isNew : 0) | (changesAll ? ChangeForm.changesAll : 0)
        | (authorNeedsAll ? ChangeForm.authorNeedsAll : 0) | (isSame ? ChangeForm.sameSummary : 0))
    if !isSame { after.encode(into: &encoder) }
    encoder.writer.count(deltas.count)
    for delta in deltas { delta.encode(into: &encoder) }
    encoder.columns(columns)
    if needsImage { encoder.columns(image(object)) }
  }

  fileprivate init(
    from decoder: inout SyncDecoder, before: ObjectSummary, image: inout [SyncProperty]?
  ) throws(SyncDecodingError) {
    let object = try ObjectName(from: &decoder)
    let flags = try decoder.flags(upTo: ChangeForm.objectFlags)
    var after = before
    if flags & ChangeForm.sameSummary == 0 {
      after = try ObjectSummary(from: &decoder)
      guard after != before else { throw decoder.reader.error(.notCanonical("a summary that is said again")) }
    }
    let count = try decoder.reader.count(eachAtLeast: 3)
    var deltas: [CellDelta] = []
    deltas.reserveCapacity(count)
    for _ in 0..<count { deltas.append(try CellDelta(from: &decoder)) }
    let columns = try decoder.columns()
    self.init(
      object: object, before: before, after: after, deltas: deltas, changesAll: flags & ChangeForm.changesAll != 0,
      columns: columns, authorNeedsAll: flags & ChangeForm.authorNeedsAll != 0,
      isNew: flags & ChangeForm.isNew != 0)
    if needsImage { image = try decoder.columns() }
  }
}

extension SyncEncoder {
  fileprivate mutating func columns(_ columns: [SyncProperty]) {
    writer.count(columns.count)
    for column in columns {
      name(column.name)
      column.value.encode(into: &self)
    }
  }
}

extension SyncDecoder {
  fileprivate mutating func format() throws(SyncDecodingError) {
    let start = reader.position
    let format = try reader.byte()
    guard format == ChangeForm.format else {
      throw SyncDecodingError(.unknownTag(UInt64(format), of: "forms of a change"), at: start)
    }
  }

  fileprivate mutating func flags(upTo all: UInt8) throws(SyncDecodingError) -> UInt8 {
    let start = reader.position
    let flags = try reader.byte()
    guard flags <= all else { throw SyncDecodingError(.unknownTag(UInt64(flags), of: "flags"), at: start) }
    return flags
  }

  fileprivate mutating func results(allPlain: Bool) throws(SyncDecodingError) -> [OperationResult] {
    let start = reader.position
    if allPlain {
      // They take no bytes: an upload has a limit of operations, and so have these.
      let count = try reader.varint()
      guard count <= UInt64(DecodingLimits.standard.items) else {
        throw SyncDecodingError(.overLimit("results", DecodingLimits.standard.items), at: start)
      }
      return [OperationResult](repeating: .plain, count: Int(count))
    }
    let count = try reader.count()
    var results: [OperationResult] = []
    results.reserveCapacity(count)
    for _ in 0..<count { results.append(try OperationResult(from: &self)) }
    guard !results.allSatisfy({ $0 == .plain }) else {
      throw SyncDecodingError(.notCanonical("results that are all plain"), at: start)
    }
    return results
  }

  /// Objects, each of which is there once; what they were comes from `before`.
  fileprivate mutating func touchedObjects(
    _ before: inout SyncDecoder, _ images: inout [ObjectName: [SyncProperty]]
  ) throws(SyncDecodingError) -> [TouchedObject<ObjectSummary>] {
    let start = reader.position
    let count = try reader.count(eachAtLeast: 5)
    var objects: [TouchedObject<ObjectSummary>] = []
    objects.reserveCapacity(count)
    for _ in 0..<count {
      var image: [SyncProperty]?
      let object = try TouchedObject(from: &self, before: try ObjectSummary(from: &before), image: &image)
      images[object.object] = image
      objects.append(object)
    }
    guard count < 2 || Set(objects.map(\.object)).count == count else {
      throw SyncDecodingError(.notCanonical("an object is named twice"), at: start)
    }
    return objects
  }

  fileprivate mutating func columns() throws(SyncDecodingError) -> [SyncProperty] {
    let count = try reader.count(eachAtLeast: 2)
    var columns: [SyncProperty] = []
    columns.reserveCapacity(count)
    for _ in 0..<count {
      let name = try name()
      columns.append(SyncProperty(name, try SyncValue(from: &self)))
    }
    return columns
  }
}
