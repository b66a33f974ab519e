import LarderStorage

/// Imports a file into a class: all of it in one transaction, so that a fault leaves the store as it was.
///
/// Belongs to one thread; the store may be read by others meanwhile.
package final class Importer {
  private let store: Store
  private let options: ImportOptions
  private let progress: (ImportProgress) -> Void
  private let values: ValueConverter
  @exclusivity(unchecked) private var report: ImportReport
  @exclusivity(unchecked) private var records = 0
  /// The dialect that the file turned out to have.
  private var dialect: CSVDialect?
  private var file: RereadableFile?
  /// Records with links that wait, by object, and whether the object is new.
  private var waiting: [ObjectKey: (record: InputRecord, isNew: Bool)] = [:]
  /// Under updates: what a new object needs.
  private var required: RequiredProperties?
  private static let progressInterval = 512

  /// - Parameter progress: called often; on the thread that runs the import.
  package init(store: Store, options: ImportOptions, progress: @escaping (ImportProgress) -> Void = { _ in }) {
    self.store = store
    self.options = options
    self.progress = progress
    values = ValueConverter(options.mapping.forms)
    report = ImportReport(className: options.className ?? options.mapping.className ?? "")
  }

  /// Runs the import and commits it.
  ///
  /// - Throws: `InputFault` at the first fault unless the options say to keep going, `InputFileError`, `ImportError`
  ///   when the mapping does not fit, `StorageError` from the store. Nothing is kept then.
  package func run() throws -> ImportReport {
    guard !report.className.isEmpty else { throw ImportError("neither the options nor the mapping name a class") }
    guard try needsShapes() else {
      try run(.known(nil))
      try requireRecords()
      return report
    }
    file = try RereadableFile(options.path)
    let (shapes, isWhole) = try readShapes(limit: options.sample)
    if isWhole {
      try run(.known(shapes))
    } else if try !runGuessing(shapes) {
      try run(.known(try readShapes(limit: .max).shapes))
    }
    try requireRecords()
    return report
  }

  /// The end of the last reading of the file.
  private var ending = (bytes: 0, hasFrame: false)

  /// Throws for a file that holds bytes and no record, and does not show that it holds none.
  private func requireRecords() throws {
    guard report.imported + report.updated + report.skipped.count == 0 else { return }
    guard ending.hasFrame || ending.bytes == 0 else {
      throw InputFault(
        file: options.path, line: 1, column: 1,
        message: "the file has \(ending.bytes) bytes, and none of them begins an object")
    }
    if ending.hasFrame { report.notices.append("the file holds no objects") }
  }

  /// The shapes of the file's fields that are known when its records are imported.
  private enum Knowledge {
    /// The shapes of all records; nil when the mapping says everything.
    case known(FieldShapes?)
    /// The shapes of the first records.
    case guessed(FieldShapes)

    var shapes: FieldShapes? {
      switch self {
      case .known(let shapes): shapes
      case .guessed(let shapes): shapes
      }
    }
  }

  /// The first records were no guide to the others.
  private struct WrongGuess: Error {}

  /// Imports by what the first records hold.
  ///
  /// - Returns: Whether all records fit. Otherwise nothing was done: with all of them known, a property may be of another type.
  private func runGuessing(_ shapes: FieldShapes) throws -> Bool {
    guard !options.updates else { return false }
    let before = report
    do {
      try run(.guessed(shapes))
      return true
    } catch is WrongGuess {} catch is InputFault {} catch is ImportError {}
    (report, records, waiting) = (before, 0, [:])
    return false
  }

  private func run(_ knowledge: Knowledge) throws {
    let writer = try store.beginWrite()
    do {
      try run(writer, knowledge)
      note("writing", reader: nil)
      if options.isTrial { writer.cancel() } else { report.version = try writer.commit() }
    } catch {
      writer.cancel()
      throw error
    }
  }

  private func open() throws -> any InputReader {
    guard let format = options.format ?? InputFormat(path: options.path) else {
      throw ImportError(
        "'\(options.path)': the name does not tell whether this is CSV or JSON Lines; say it with --format")
    }
    let reader = try format.open(
      options.path, contents: file?.contents, options.reading, lineLimit: options.lineLimit)
    if let reader = reader as? CSVReader, dialect == nil {
      note(reader.dialect, format)
      report.notices += reader.headerNotices
    }
    return reader
  }

  /// Says what the first lines of a table showed, where it is not the usual.
  private func note(_ found: CSVDialect, _ format: InputFormat) {
    dialect = found
    func name(_ byte: UInt8) -> String { byte == UInt8(ascii: "\t") ? "tab" : String(Unicode.Scalar(byte)) }
    if found.lineEnd == CSVDialect.carriageReturn {
      report.notices.append("the lines end with a carriage return alone")
    }
    if let named = found.namedSeparator, options.reading.separator == nil {
      report.notices.append("the line before the header says that fields are between \(name(named))")
    } else if format == .csv, options.reading.separator == nil, found.separator != UInt8(ascii: ",") {
      report.notices.append(
        "the first lines show fields between \(name(found.separator)); --separator says it otherwise")
    }
    if options.reading.quote == nil, found.quote != UInt8(ascii: "\"") {
      report.notices.append("the first lines show fields within \(name(found.quote)); --quote says it otherwise")
    }
  }

  private func run(_ writer: StoreWriter, _ knowledge: Knowledge) throws {
    let (schema, noticesBefore) = (writer.schema, report.notices.count)
    let (plan, notices) = try self.plan(knowledge.shapes, schema)
    report.notices += notices
    let isNewClass = schema[report.className] == nil
    if !plan.declarations.isEmpty {
      try writer.apply(plan.declarations, schemaVersion: schemaVersion(plan, schema))
    }
    let root = try BoundClass(plan.root, in: writer.schema)
    if options.isTrial { report.properties = root.descriptor.columns.map { TypeName.note($0, in: writer.schema) } }
    if options.updates && root.primaryKeyIndex == nil {
      throw ImportError("updating needs a primary key, and '\(report.className)' has none in this import")
    }
    required = options.updates ? RequiredProperties(root) : nil
    if !options.updates, !isNewClass { noteDefaults(RequiredProperties(root)) }
    var objects = ObjectWriter(writer)
    let converter = RecordConverter(plan: plan.root, values: values, keepsMissing: options.updates)
    switch knowledge {
    case .known: try importAll(root, converter, &objects)
    case .guessed(let sample):
      let shapes = try importNoting(root, converter, &objects, namesInSample: sample.names.count)
      let (whole, wholeNotices) = try self.plan(shapes, schema)
      guard whole == plan else { throw WrongGuess() }
      report.notices.replaceSubrange(noticesBefore..<noticesBefore + notices.count, with: wholeNotices)
    }
    note("resolving links", reader: nil)
    try resolve(objects, root)
  }

  private func plan(_ shapes: FieldShapes?, _ schema: StoreSchema) throws -> (ImportPlan, notices: [String]) {
    var planner = ImportPlanner(
      schema: schema, mapping: options.mapping, shapes: shapes, addsProperties: options.addsProperties)
    let plan = try planner.plan(className: report.className)
    return (plan, planner.notices)
  }

  private func importAll(_ root: BoundClass, _ converter: RecordConverter, _ objects: inout ObjectWriter) throws {
    let flat = options.updates ? nil : try FlatWriter(root, values, objects.writer)
    let reader = FlatRecords(try open())
    reading: while true {
      let step = try tolerating(reader, skipping: { report.skipped.append($0) }) {
        try reader.next { row, names in try flat?.add(row, names) ?? false }
      }
      switch step {
      case .taken: report.imported += 1
      case .record(let record): try tolerating(record) { try add(record, converter, root, &objects) }
      case .end: break reading
      }
      noteRecord("importing", reader.source)
    }
    ending = (reader.source.consumed, reader.hasFrame)
  }

  /// Imports all records and notes what they hold.
  ///
  /// - Throws: Any fault: it may be one of the plan alone.
  private func importNoting(
    _ root: BoundClass, _ converter: RecordConverter, _ objects: inout ObjectWriter, namesInSample: Int
  ) throws -> FieldShapes {
    guard let flat = try FlatWriter(root, values, objects.writer) else { throw WrongGuess() }
    let reader = FlatRecords(try open())
    let noter = ShapeNoter(options.mapping, names: reader.headerNames)
    reading: while true {
      var isNoted = false
      let step = try reader.next { row, names in
        isNoted = noter.note(row)
        return try isNoted && flat.add(row, names)
      }
      switch step {
      case .taken: report.imported += 1
      case .record(let record):
        do {
          if !isNoted { try noter.note(record) }
          guard noter.names <= namesInSample else { throw WrongGuess() }
          try add(record, converter, root, &objects)
        } catch is RecordFault {
          throw WrongGuess()
        }
      case .end: break reading
      }
      noteRecord("importing", reader.source)
    }
    ending = (reader.source.consumed, reader.hasFrame)
    return noter.finish()
  }

  private func noteRecord(_ step: String, _ source: ByteSource) {
    records += 1
    if records % Self.progressInterval == 0 { note(step, reader: source) }
  }

  /// Properties added to a class that was there already raise the version, as a program's migration would.
  private func schemaVersion(_ plan: ImportPlan, _ schema: StoreSchema) -> UInt64 {
    let adds = plan.declarations.contains { declaration in
      schema[declaration.name].map { known in
        declaration.columns.contains { known.column(named: $0.name) == nil }
      } ?? false
    }
    return (schema.schemaVersion ?? 0) + (adds ? 1 : 0)
  }

  /// Says which properties of an existing class get no value from the file and need one.
  private func noteDefaults(_ required: RequiredProperties) {
    for column in required.others {
      report.notices.append(
        "no value of '\(column.name)' is imported, and it cannot be nil: it is "
          + "\(ValueText.short(StoredValue.zero(column.type))) in the new objects")
    }
  }

  private func note(_ step: String, reader source: ByteSource?, records count: Int? = nil) {
    progress(
      ImportProgress(consumed: source?.consumed ?? 0, total: source?.storedSize, records: count ?? records, step: step))
  }

  // MARK: Reading

  /// The next good record that `read` gives; faults of records are noted when the import keeps going.
  private func tolerating(
    _ reader: FlatRecords, skipping: (InputFault) -> Void, _ read: () throws -> FlatStep
  ) throws -> FlatStep {
    while true {
      do {
        return try read()
      } catch let fault as InputFault {
        guard options.keepsGoing, !reader.isBroken else { throw fault }
        skipping(fault)
      }
    }
  }

  private func needsShapes() throws -> Bool {
    ImportPlanner.needsShapes(options.mapping, className: report.className, schema: try store.snapshot().schema)
  }

  /// Returns the shapes of the first records, and whether these are all.
  private func readShapes(limit: Int) throws -> (shapes: FieldShapes, isWhole: Bool) {
    let reader = FlatRecords(try open())
    let noter = ShapeNoter(options.mapping, names: reader.headerNames)
    var (count, isWhole) = (0, false)
    reading: while count < limit {
      let step = try tolerating(reader, skipping: { _ in }) { try reader.next { row, _ in noter.note(row) } }
      switch step {
      case .taken: break
      case .record(let record):
        do {
          try noter.note(record)
        } catch let fault as RecordFault {
          // Leaving records out would not help: what has more fields is no class.
          throw placed(fault, record)
        }
      case .end:
        isWhole = true
        break reading
      }
      count += 1
      if count % Self.progressInterval == 0 { note("reading types", reader: reader.source, records: count) }
    }
    let shapes = noter.finish()
    try checkSeparator(shapes)
    return (shapes, isWhole)
  }

  /// Throws for a table of one column whose name holds what may separate several.
  private func checkSeparator(_ shapes: FieldShapes) throws {
    guard options.reading.separator == nil, options.mapping.properties.isEmpty, shapes.names.count == 1,
      let name = shapes.names.first, let format = options.format ?? InputFormat(path: options.path), format.isTable,
      let separator = name.first(where: { ";\t|,".contains($0) })
    else { return }
    let flag = separator == "\t" ? "--format tsv" : "--separator '\(separator)'"
    throw ImportError(
      "'\(options.path)' has one column, \(JSONText.quote(name)). Where columns are separated otherwise, say \(flag); where this is "
        + "right, say --separator '\(format == .csv ? "," : "|")'")
  }

  // MARK: Writing

  private func tolerating(_ record: InputRecord, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let fault as RecordFault {
      let fault = placed(fault, record)
      guard options.keepsGoing else { throw fault }
      report.skipped.append(fault)
    }
  }

  private func placed(_ fault: RecordFault, _ record: InputRecord) -> InputFault {
    let place = record.position(of: fault.offset)
    return InputFault(file: options.path, line: place.line, column: place.column, message: fault.message)
  }

  private func add(
    _ record: InputRecord, _ converter: RecordConverter, _ root: BoundClass, _ objects: inout ObjectWriter
  ) throws {
    let prepared = try converter.object(record)
    try objects.check(prepared, root)
    let (key, isNew) = try object(prepared, record, root, objects.writer)
    let deferredBefore = objects.deferred.count
    do {
      try objects.write(prepared, to: key, root)
    } catch let error as StorageError where Self.isFaultOfValue(error) {
      // Half of an old object is overwritten by now, so leaving the record out is no way on.
      guard isNew else { throw error }
      try objects.writer.delete(root.descriptor.id, key)
      objects.deferred.removeLast(objects.deferred.count - deferredBefore)
      throw RecordFault(offset: offset(of: error.property, record, root), message: error.message)
    }
    if objects.deferred.count > deferredBefore { waiting[key] = (record, isNew) }
    if isNew { report.imported += 1 } else { report.updated += 1 }
  }

  private func object(
    _ prepared: PreparedObject, _ record: InputRecord, _ root: BoundClass, _ writer: StoreWriter
  ) throws -> (key: ObjectKey, isNew: Bool) {
    let id = root.descriptor.id
    guard let index = root.primaryKeyIndex, case .scalar(let value) = prepared.values[index] else {
      return (try writer.create(id), true)
    }
    if options.updates, let existing = try writer.object(id, primaryKey: value) { return (existing, false) }
    try required?.check(prepared, root)
    do {
      return (try writer.create(id, primaryKey: value), true)
    } catch let error as StorageError where error.code == .duplicatePrimaryKey {
      let name = root.properties[index].plan.name
      throw RecordFault(
        offset: offset(of: name, record, root),
        message: "an object of '\(report.className)' with the primary key \(name) = \(ValueText.short(value)) is "
          + "already there")
    }
  }

  /// Errors that a value of the record brought about, as opposed to those of the store.
  private static func isFaultOfValue(_ error: StorageError) -> Bool {
    [.typeMismatch, .nullForRequired, .valueTooLarge].contains(error.code)
  }

  private func offset(of property: String?, _ record: InputRecord, _ root: BoundClass) -> Int {
    let plan = root.properties.first { $0.plan.name == property }?.plan
    return plan.flatMap { record.node($0.source)?.offset } ?? 0
  }

  /// Sets the links that waited for the whole file. An object with a link to nothing goes, with its record.
  private func resolve(_ objects: ObjectWriter, _ root: BoundClass) throws {
    for links in objects.deferred {
      guard let (record, isNew) = waiting[links.root] else { continue }
      let skippedBefore = report.skipped.count
      try tolerating(record) {
        try objects.link(links.references, from: links.key, links.owner, links.property)
      }
      guard report.skipped.count > skippedBefore else { continue }
      guard isNew else { throw report.skipped[skippedBefore] }
      waiting[links.root] = nil
      try objects.writer.delete(root.descriptor.id, links.root)
      report.imported -= 1
    }
  }
}
