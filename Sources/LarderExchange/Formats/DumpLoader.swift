import LarderStorage

/// Makes a store from a dump or an export, in one transaction.
///
/// The file is read twice: first every object is made, then all are filled, because links may lead forward.
package final class DumpLoader {
  private let store: Store
  private let path: String
  private let lineLimit: Int
  private let isTrial: Bool
  private let progress: (ImportProgress) -> Void
  private var keys: [ClassID: [ObjectKey]] = [:]
  private var records = 0
  private static let progressInterval = 512

  /// - Parameters:
  ///   - progress: Called often; on the thread that runs the load.
  ///   - lineLimit: How many bytes a line may have.
  ///   - isTrial: Nothing is kept.
  package init(
    store: Store, path: String, lineLimit: Int = LineLimit.ofDumps, isTrial: Bool = false,
    progress: @escaping (ImportProgress) -> Void = { _ in }
  ) {
    self.lineLimit = lineLimit
    self.isTrial = isTrial
    self.store = store
    self.path = path
    self.progress = progress
  }

  /// The result of a load.
  package struct Report: Sendable {
    package var objects: Int
    package var version: UInt64
  }

  /// Loads and commits.
  ///
  /// - Throws: `DumpError` for a store with classes; `InputFault` at the first fault of the file; `InputFileError`;
  ///   `StorageError`. Nothing is kept then.
  package func run() throws -> Report {
    let writer = try store.beginWrite()
    do {
      guard writer.schema.classes.isEmpty else {
        throw DumpError("'\(store.path)' has classes already; a dump is loaded into a new store")
      }
      let bytes = try RereadableFile(path)
      let file = try ObjectSources.open(path, contents: bytes.contents, lineLimit: lineLimit)
      try writer.apply(file.header.classes.map(\.declaration), schemaVersion: file.header.schemaVersion)
      try pass(file, writer, step: "making objects") { record, entry, _ in try make(record, entry, writer) }
      try pass(
        try ObjectSources.open(path, contents: bytes.contents, lineLimit: lineLimit), writer, step: "filling objects"
      ) {
        try fill($0, $1, $2, writer, linksByPrimaryKey: file.linksByPrimaryKey)
      }
      progress(ImportProgress(consumed: 0, total: nil, records: records, step: "writing"))
      let count = keys.values.reduce(0) { $0 + $1.count }
      if isTrial { writer.cancel() }
      return Report(objects: count, version: isTrial ? 0 : try writer.commit())
    } catch {
      writer.cancel()
      throw error
    }
  }

  /// Calls `body` with each object's record, class and place.
  private func pass(
    _ file: any ObjectSource, _ writer: StoreWriter, step: String,
    _ body: (InputRecord, ClassDescriptor, Int) throws -> Void
  ) throws {
    records = 0
    for expected in file.header.classes where !expected.declaration.isEmbedded {
      guard let entry = writer.schema[expected.declaration.name] else { continue }
      for place in 0..<expected.objects {
        let record = try file.next(className: entry.name, place: place, of: expected.objects)
        records += 1
        if records % Self.progressInterval == 0 {
          progress(
            ImportProgress(
              consumed: file.progress.consumed, total: file.progress.total, records: records, step: step))
        }
        try file.placing(record) { try body(record, entry, place) }
      }
    }
    try file.end()
  }

  private func make(_ record: InputRecord, _ entry: ClassDescriptor, _ writer: StoreWriter) throws {
    let key: ObjectKey
    if let primary = entry.primaryKey {
      let node = try DumpRecord.node(primary, in: record.fields, entry, at: 0)
      guard let value = DumpValue.value(node.value, primary.type) else { throw DumpRecord.misfit(node, primary, entry) }
      key = try writer.create(entry.id, primaryKey: value)
    } else {
      key = try writer.create(entry.id)
    }
    keys[entry.id, default: []].append(key)
  }

  private func fill(
    _ record: InputRecord, _ entry: ClassDescriptor, _ place: Int, _ writer: StoreWriter, linksByPrimaryKey: Bool
  ) throws {
    guard let key = keys[entry.id]?[place] else { return }
    try DumpRecord(writer: writer, keys: keys, linksByPrimaryKey: linksByPrimaryKey).fill(
      record.fields, entry, key, at: 0)
  }
}
