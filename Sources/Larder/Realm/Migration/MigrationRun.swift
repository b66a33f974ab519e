import LarderStorage

/// One migration from its first step to its last: the new columns, their defaults, the program's block, and what is left to do.
///
/// Two Realms look at the store meanwhile: a frozen one at the version before, and one in the write transaction.
final class MigrationRun {
  let models: [ModelClass]
  private let schemaMigration: SchemaMigration
  private let configuration: Realm.Configuration
  private let before: RealmCore
  private var now: RealmCore
  /// Realms of earlier states of the plan: objects that the block still holds refer to them.
  private var outdated: [RealmCore] = []
  private var defaults: MigrationDefaults
  /// The error that a call could not throw; opening does.
  private var failure: (any Error)?
  /// Properties that are renamed together, before anything else happens.
  private var waitingRenames: [ColumnRename] = []
  /// True if the block has got objects, which show properties as they are now.
  private var hasShownObjects = false
  /// The stored classes, with stored names.
  private(set) lazy var oldModels = before.schema.classes.map { before.dynamicCursor($0.name).model }

  /// - Throws: `StorageError` for a schema that cannot be stored.
  init(_ writer: StoreWriter, _ configuration: Realm.Configuration, _ models: [ModelClass]) throws {
    self.configuration = configuration
    self.models = models
    defaults = MigrationDefaults(models)
    schemaMigration = try SchemaMigration(
      writer, to: models.map { configuration.declaration(of: $0) }, schemaVersion: configuration.schemaVersion,
      defaults: defaults.constants)
    before = RealmCore(
      store: writer.store, snapshot: writer.base, schema: writer.base.schema, configuration: configuration, models: [],
      place: RealmPlace(.anywhere, queue: nil, isFrozen: true), files: nil)
    now = Self.core(writer, configuration, models)
  }

  deinit { end() }

  private static func core(
    _ writer: StoreWriter, _ configuration: Realm.Configuration, _ models: [ModelClass]
  ) -> RealmCore {
    let core = RealmCore(
      store: writer.store, snapshot: writer.base, schema: writer.schema, configuration: configuration, models: models,
      place: RealmPlace(.current, queue: nil, isFrozen: false), files: nil)
    core.beginMigration(writer)
    return core
  }

  private var writer: StoreWriter { schemaMigration.writer }

  /// The plan of what was and will be done, after `migrate`.
  var plan: SchemaMigration { schemaMigration }

  // MARK: - Steps

  /// Does everything but the commit. `block` runs when the version rises above a stored one.
  ///
  /// - Throws: What the block throws, what its calls could not throw, `StorageError`.
  func migrate(from old: UInt64?, _ block: MigrationBlock?, afterStep: ((String) throws -> Void)? = nil) throws {
    schemaMigration.afterStep = afterStep
    try schemaMigration.begin()
    try defaults.fill(schemaMigration, now)
    if let block, let old, old < configuration.schemaVersion {
      try block(Migration(self), old)
      settle()
      if let failure { throw failure }
      try afterStep?("block")
    }
    now.noteChange()
    try schemaMigration.finish()
    end()
  }

  /// Objects of the migration are invalid from now on.
  private func end() {
    for core in outdated + [now] { core.endMigration() }
    before.invalidate()
  }

  /// Runs a call that cannot throw; opening throws in its place.
  @discardableResult
  func noting<Result>(_ body: () throws -> Result) -> Result? {
    do {
      return try body()
    } catch {
      if failure == nil { failure = error }
      return nil
    }
  }

  // MARK: - Objects

  func enumerate(_ name: String, _ block: (MigrationObject?, MigrationObject?) throws -> Void) rethrows {
    settle()
    hasShownObjects = true
    guard let classID = classID(name) else { return }
    let isNew = models.contains { $0.name == self.name(of: classID) }
    guard let old = before.schema[classID] else {
      for key in keys(of: classID, in: now.reader) {
        guard let object = object(key, classID, now) else { continue }
        try block(nil, object)
      }
      return
    }
    let oldCursor = before.dynamicCursor(old.name)
    for key in keys(of: classID, in: before.reader) {
      guard orMisuse({ try writer.schema[classID] != nil && writer.contains(classID, key) }) else { continue }
      let current = isNew ? object(key, classID, now) : nil
      try block(oldCursor.object(key) as? MigrationObject, current)
    }
  }

  /// A class by its new name, or by its old one.
  private func classID(_ name: String) -> ClassID? {
    if models.contains(where: { $0.name == name }), let entry = writer.schema[name] { return entry.id }
    return before.schema[name]?.id
  }

  private func name(of classID: ClassID) -> String? { writer.schema[classID]?.name }

  private func object(_ key: ObjectKey, _ classID: ClassID, _ core: RealmCore) -> MigrationObject? {
    guard let name = name(of: classID), orMisuse({ try core.reader.contains(classID, key) }) else { return nil }
    return core.dynamicCursor(name).object(key) as? MigrationObject
  }

  private func keys(of classID: ClassID, in reader: any StoreReader) -> [ObjectKey] {
    orMisuse {
      var keys: [ObjectKey] = []
      for cluster in try reader.liveClusters(of: classID) {
        guard let presence = try reader.presence(classID, cluster: cluster) else { continue }
        for slot in 0..<presence.count where presence.bool(slot) {
          keys.append(ObjectKey(rawValue: UInt64(cluster * reader.clusterSize + slot)))
        }
      }
      return keys
    }
  }

  /// Makes an object from a value; throws where it does not fit, and has then changed nothing if it is planned.
  func create(_ name: String, _ value: Any, isPlanned: Bool) throws -> MigrationObject {
    try now.create(value, in: try cursor(name), .error, isPlanned: isPlanned)
  }

  private func cursor(_ name: String) throws -> _ClassCursor {
    settle()
    hasShownObjects = true
    guard models.contains(where: { $0.name == name }) else {
      let known = models.map(\.name).joined(separator: ", ")
      throw Realm.Error.invalid(
        "The new schema has no class '\(misuseText(name))'. Its classes are: \(known).", className: name)
    }
    return try now.verifiedDynamicCursor(name)
  }

  func delete(_ object: MigrationObject) throws {
    guard let core = object.host?.core, core === now || outdated.contains(where: { $0 === core }) else {
      throw Realm.Error.notDeletable(object.model)
    }
    let cursor = try object.verifiedCursor()
    try writer.delete(cursor.classID, object._objectKey)
    now.noteChange()
    object.detach()
  }

  func deleteData(_ name: String) throws -> Bool {
    guard !name.isEmpty else { return false }
    settle()
    let found = try schemaMigration.deleteClass(name)
    renew()
    return found
  }

  // MARK: - Names

  func renameProperty(_ className: String, _ old: String, _ new: String) throws {
    settle()
    try rename([ColumnRename(onType: className, from: old, to: stored(new, className))])
  }

  /// Renames with the next ones, as soon as anything can be seen of it; what makes it impossible, opening throws.
  ///
  /// Renamed by itself, each of very many properties would cost a pass over all of them.
  func renamePropertyLater(_ className: String, _ old: String, _ new: String) {
    waitingRenames.append(ColumnRename(onType: className, from: old, to: stored(new, className)))
    if hasShownObjects { settle() }
  }

  /// Does what waits.
  private func settle() {
    var renames = waitingRenames[...]
    waitingRenames = []
    while !renames.isEmpty {
      var names: Set<[String]> = []
      let part = renames.prefix { names.insert([$0.className, $0.new]).inserted }
      renames = renames.dropFirst(part.count)
      do {
        try rename(Array(part))
      } catch {
        // The others are renamed, as without the one that cannot be.
        for one in part { noting { try rename([one]) } }
      }
    }
  }

  private func rename(_ renames: [ColumnRename]) throws {
    try schemaMigration.renameColumns(renames)
    renew()
    try defaults.fill(schemaMigration, now)
  }

  /// The stored name of a property that may be given by its name in Swift.
  private func stored(_ name: String, _ className: String) -> String {
    models.first { $0.name == className }?.property(named: name)?.columnName ?? name
  }

  func renameClass(_ old: String, _ new: String) throws {
    settle()
    try schemaMigration.renameClass(old, to: new)
    renew()
    try defaults.fill(schemaMigration, now)
  }

  /// Columns and classes may have other numbers now.
  private func renew() {
    outdated.append(now)
    now = Self.core(writer, configuration, models)
  }
}
