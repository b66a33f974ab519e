import LarderExchange
import LarderStorage

/// Brings a store to the schema of a file, by the file's rules, without model classes.
package struct StoreMigrator {
  /// The result of a migration that ran, or would run.
  package struct Report: Sendable {
    /// Nil for a store that never had a schema.
    package var oldSchemaVersion: UInt64?
    package var newSchemaVersion: UInt64 = 0
    /// Every difference, as a sentence.
    package var steps: [String] = []
    /// The objects and values that are not kept.
    package var losses = LossTally()
    /// The values of each example of each loss as they are shown.
    var lostValues: [[[ShownValue]]] = []
    /// The rules that would keep more of the values.
    package var hints: [String] = []
    /// Version of the store; nil when nothing was written.
    package var version: UInt64?
    /// Nothing was written since something would have been lost.
    package var isRefused = false
  }

  private let store: Store
  private let file: SchemaFile
  /// Called after each step. For tests, which end the process there.
  package var afterStep: ((String) throws -> Void)?

  package init(store: Store, file: SchemaFile) {
    self.store = store
    self.file = file
  }

  /// Migrates in one transaction; a dry run does everything but the commit. Without any difference nothing is committed, nor where
  /// an object or a value would be lost, unless `acceptsLoss` says that it may.
  ///
  /// - Throws: `InputFault` for what the file names and the store does not have, `StorageError` for a rule that cannot be followed, a value that cannot be converted, and duplicates of a primary
  ///   key; then nothing was changed.
  package func run(isDryRun: Bool = false, acceptsLoss: Bool = false) throws -> Report {
    let writer = try store.beginWrite()
    defer { writer.cancel() }
    try SchemaFileCheck(file, writer.base.schema).run()
    var report = Report(oldSchemaVersion: writer.base.schema.schemaVersion)
    report.newSchemaVersion = try version(after: writer.base.schema.schemaVersion)
    let migration = try SchemaMigration(writer, to: file.classes, schemaVersion: report.newSchemaVersion)
    migration.afterStep = afterStep
    try migration.begin()
    for rule in file.renamedClasses { try migration.renameClass(rule.old, to: rule.new) }
    try migration.renameColumns(
      file.renamedProperties.map { ColumnRename(onType: $0.className, from: $0.old, to: $0.new) })
    var left: [ConvertedColumn: Set<ObjectKey>] = [:]
    for rule in file.conversions {
      let (column, keys) = try convert(rule.className, rule.property, rule.rule, migration)
      left[column] = keys
    }
    for name in file.removedClasses {
      guard try migration.deleteClass(name) else {
        throw StorageError(.unknownClass, "The store has no class '\(name)' that could be deleted.", className: name)
      }
    }
    try migration.finish()
    report.steps = migration.plan.steps.map(\.description)
    try MigrationLosses.forEach(of: migration) { loss in
      let column = loss.property.map { ConvertedColumn(className: loss.className, property: $0) }
      if column.flatMap({ left[$0] })?.contains(loss.key) ?? true { report.losses.add(loss) }
    }
    let tree = ObjectTree(writer.base)
    report.lostValues = try report.losses.groups.map { group in
      let column = group.property.flatMap { writer.base.schema[group.className]?.column(named: $0) }
      return try group.examples.map { loss in
        try loss.values.map { value in try column.map { try tree.value(value, of: $0) } ?? .scalar(value) }
      }
    }
    report.hints = MigrationHints(file: file, migration: migration, losses: report.losses).texts()
    if let old = report.oldSchemaVersion, report.steps.isEmpty, report.losses.isEmpty, file.schemaVersion ?? old == old
    {
      report.newSchemaVersion = old
      return report
    }
    report.isRefused = !isDryRun && !acceptsLoss && !report.losses.isEmpty
    if !isDryRun, !report.isRefused {
      try afterStep?("end")
      report.version = try writer.commit()
    }
    return report
  }

  private func version(after old: UInt64?) throws -> UInt64 {
    guard let wanted = file.schemaVersion else { return (old ?? 0) + 1 }
    guard wanted >= old ?? 0 else {
      throw StorageError(
        .schemaMismatch, "The schema file has schemaVersion \(wanted), which is below the store's \(old ?? 0).")
    }
    return wanted
  }

  // MARK: - Converting

  /// A column whose values are taken over, by its stored names.
  private struct ConvertedColumn: Hashable {
    var className: String
    var property: String
  }

  /// Returns the objects whose values do not fit.
  private func convert(
    _ className: String, _ property: String, _ rule: SchemaFile.Conversion, _ migration: SchemaMigration
  ) throws -> (ConvertedColumn, Set<ObjectKey>) {
    let writer = migration.writer
    guard let entry = writer.schema[className], let column = entry.column(named: property) else {
      throw StorageError(
        .unknownProperty, "The schema file converts '\(className).\(property)', which it does not declare.",
        className: className, property: property)
    }
    let before = writer.base.schema
    // The stored property may have had another name.
    let stored = migration.plan.columnNames[className]?.first { $0.value == property }?.key ?? property
    guard let oldEntry = before[entry.id], let old = oldEntry.column(named: stored),
      old.collection == .none, column.collection == .none, old.type != .link, column.type != .link
    else {
      throw StorageError(
        .typeMismatch, "'\(className).\(property)' has no single values in the store that could be converted.",
        className: className, property: property)
    }
    let converter = ColumnConverter(column)
    var left: Set<ObjectKey> = []
    try writer.forEachKey(entry.id) { key in
      guard try writer.base.contains(entry.id, key) else { return }
      let value = try writer.base.value(entry.id, old.id, key)
      if let converted = converter.value(value) { return try writer.set(entry.id, column.id, key, converted) }
      guard rule == .strict else {
        left.insert(key)
        return
      }
      let name = try ObjectTree(writer.base).name(oldEntry, key).text
      throw StorageError(
        .typeMismatch,
        "\(ValueText.short(value)) in '\(className).\(stored)' of \(name) cannot become "
          + "\(TypeName.describe(column, in: writer.schema)). Correct it, or convert leniently.", className: className,
        property: property, key: key)
    }
    return (ConvertedColumn(className: oldEntry.name, property: old.name), left)
  }
}

/// Takes values of one type over into a column of another.
struct ColumnConverter {
  private let column: ColumnDescriptor
  private let converter = ValueConverter(nullMarkers: [])

  init(_ column: ColumnDescriptor) { self.column = column }

  /// The value in the column's type, exactly; nil when it has none.
  func value(_ value: StoredValue) -> StoredValue? {
    if value.isNull { return column.isOptional ? .null : nil }
    if value.type == column.type || column.type == .mixed { return value }
    guard let input = input(value) else { return nil }
    let node = InputNode(input, at: 0)
    return try? converter.value(node, as: column.type, isOptional: false, property: column.name)
  }

  private func input(_ value: StoredValue) -> InputValue? {
    if column.type == .string { return ValueText.plain(value).map { .text($0) } }
    switch value {
    case .bool(let value): return .integer(value ? 1 : 0)
    case .int(let value):
      if column.type == .bool { return value == 0 || value == 1 ? .bool(value == 1) : nil }
      return .integer(value)
    case .float(let value): return .number(Double(value), text: "\(value)")
    case .double(let value): return .number(value, text: "\(value)")
    default: return ValueText.plain(value).map { .text($0) }
    }
  }
}
