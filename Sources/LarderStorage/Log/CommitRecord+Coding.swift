import LarderLMDB

extension CommitRecord {
  static let formatTag: UInt8 = 1

  private enum Section {
    static let truncated: UInt64 = 1
    static let inserted: UInt64 = 2
    static let deleted: UInt64 = 3
    static let derivedDeleted: UInt64 = 4
    static let modified: UInt64 = 5
    static let lists: UInt64 = 6
    static let owners: UInt64 = 7
    static let intents: UInt64 = 8
    static let sets: UInt64 = 9
    static let maps: UInt64 = 10
    static let nested: UInt64 = 11
    static let defaults: UInt64 = 12
  }

  /// The bytes of the log value of `version`; a multiple of eight long.
  package func encoded(version: UInt64) -> [UInt8] {
    var writer = LogWriter(capacity: 120)
    writer.byte(CommitRecord.formatTag)
    writer.fixed(flags.rawValue)
    writer.fixed(time.rawValue)
    writer.fixed(origin)
    writer.fixed(schemaFingerprint)
    writer.block { writer in
      for item in extensions {
        writer.varint(UInt64(item.tag))
        writer.block(item.bytes)
      }
    }
    writer.block { writer in
      writer.varint(classes.count)
      for changes in classes {
        writer.varint(UInt64(changes.classID.rawValue))
        writer.block { CommitRecord.encode(changes, into: &$0) }
      }
    }
    writer.fixed(writer.bytes.withUnsafeBytes { LogChecksum.of($0, version: version) })
    writer.pad()
    return writer.bytes
  }

  /// The class of which it tells most, but for those that are truncated.
  var largestClass: ClassID? {
    classes.filter { !$0.isTruncated }.map { changes in
      var writer = LogWriter(capacity: 120)
      CommitRecord.encode(changes, into: &writer)
      return (id: changes.classID, size: writer.bytes.count)
    }.max { $0.size < $1.size }?.id
  }

  private static func encode(_ changes: ClassChanges, into writer: inout LogWriter) {
    func section(_ tag: UInt64, unless isEmpty: Bool, _ body: (inout LogWriter) -> Void) {
      if isEmpty { return }
      writer.varint(tag)
      writer.block(body)
    }
    section(Section.truncated, unless: !changes.isTruncated) { _ in }
    section(Section.inserted, unless: changes.inserted.isEmpty) { changes.inserted.encode(into: &$0) }
    section(Section.deleted, unless: changes.deleted.isEmpty) { changes.deleted.encode(into: &$0) }
    section(Section.derivedDeleted, unless: changes.derivedDeleted.isEmpty) {
      changes.derivedDeleted.encode(into: &$0)
    }
    section(Section.modified, unless: changes.modified.isEmpty) { writer in
      for entry in changes.modified {
        writer.varint(UInt64(entry.column.rawValue) << 1 | (entry.isDerived ? 1 : 0))
        entry.keys.encode(into: &writer)
      }
    }
    section(Section.lists, unless: changes.lists.isEmpty) { writer in
      for list in changes.lists { list.encode(into: &writer) }
    }
    section(Section.owners, unless: changes.owners.isEmpty) { writer in
      for run in changes.owners { run.encode(into: &writer) }
    }
    section(Section.sets, unless: changes.sets.isEmpty) { writer in
      for set in changes.sets { set.encode(into: &writer) }
    }
    section(Section.maps, unless: changes.maps.isEmpty) { writer in
      for map in changes.maps { map.encode(into: &writer) }
    }
    section(Section.nested, unless: changes.nested.isEmpty) { writer in
      for entry in changes.nested { entry.encode(into: &writer) }
    }
    section(Section.intents, unless: changes.intents.isEmpty) { writer in
      for entry in changes.intents {
        writer.byte(entry.intent.rawValue)
        entry.keys.encode(into: &writer)
      }
    }
    section(Section.defaults, unless: changes.defaults.isEmpty) { writer in
      for entry in changes.defaults {
        writer.varint(UInt64(entry.column.rawValue))
        entry.keys.encode(into: &writer)
      }
    }
  }
}

extension CommitRecord {
  /// Decodes a log value. Unknown extensions and class sections are kept or skipped; damage throws `corrupted`.
  package init(decoding view: ByteView, version: UInt64) throws {
    var reader = LogReader(view)
    let tag = try reader.byte()
    guard tag == CommitRecord.formatTag else {
      throw StorageError(
        .unsupportedFormat, "Change log entry \(version) has format \(tag), which this build does not know.")
    }
    let flags = Flags(rawValue: try reader.fixed())
    let time = HybridTime(rawValue: try reader.fixed())
    let origin = try reader.fixed(UInt16.self)
    let fingerprint = try reader.fixed(UInt64.self)
    var extensionBytes = try reader.block()
    var body = try reader.block()
    let covered = reader.position
    let checksum = try reader.fixed(UInt64.self)
    let range = UnsafeRawBufferPointer(rebasing: view.buffer[0..<covered])
    guard LogChecksum.of(range, version: version) == checksum else {
      throw LogReader.damage("the checksum of version \(version) does not match")
    }
    self.init(flags: flags, time: time, origin: origin, schemaFingerprint: fingerprint)
    while !extensionBytes.isAtEnd {
      let tag = try extensionBytes.varint(as: UInt16.self)
      let length = try extensionBytes.count()
      extensions.append(LogExtension(tag: tag, bytes: try extensionBytes.raw(length).bytes))
    }
    for _ in 0..<(try body.count()) {
      var changes = ClassChanges(classID: ClassID(rawValue: try body.varint(as: UInt16.self)))
      var sections = try body.block()
      while !sections.isAtEnd { try CommitRecord.decodeSection(of: &sections, into: &changes) }
      classes.append(changes)
    }
  }

  private static func decodeSection(of reader: inout LogReader, into changes: inout ClassChanges) throws {
    let tag = try reader.varint()
    var section = try reader.block()
    switch tag {
    case Section.truncated: changes.isTruncated = true
    case Section.inserted: changes.inserted = try KeyRanges(decoding: &section)
    case Section.deleted: changes.deleted = try KeyRanges(decoding: &section)
    case Section.derivedDeleted: changes.derivedDeleted = try KeyRanges(decoding: &section)
    case Section.modified:
      while !section.isAtEnd {
        let word = try section.varint(as: UInt32.self)
        guard word >> 1 <= UInt32(UInt16.max) else { throw LogReader.damage("a column is out of range") }
        changes.modified.append(
          ColumnChanges(
            column: ColumnID(rawValue: UInt16(word >> 1)), isDerived: word & 1 == 1,
            keys: try KeyRanges(decoding: &section)))
      }
    case Section.lists:
      while !section.isAtEnd { changes.lists.append(try CollectionChanges(decoding: &section)) }
    case Section.owners:
      while !section.isAtEnd { changes.owners.append(try EmbeddedOwnerRun(decoding: &section)) }
    case Section.sets:
      while !section.isAtEnd { changes.sets.append(try CollectionChanges(decoding: &section)) }
    case Section.maps:
      while !section.isAtEnd { changes.maps.append(try CollectionChanges(decoding: &section)) }
    case Section.nested:
      while !section.isAtEnd { changes.nested.append(try CollectionChanges(decoding: &section)) }
    case Section.intents:
      while !section.isAtEnd {
        guard let intent = CreateIntent(rawValue: try section.byte()) else {
          throw LogReader.damage("an unknown create intent")
        }
        changes.intents.append(CreateIntentKeys(intent: intent, keys: try KeyRanges(decoding: &section)))
      }
    case Section.defaults:
      while !section.isAtEnd {
        let column = ColumnID(rawValue: try section.varint(as: UInt16.self))
        changes.defaults.append(ColumnChanges(column: column, keys: try KeyRanges(decoding: &section)))
      }
    default:
      break
    }
  }
}
