import LarderExchange
import LarderStorage

/// Copies what can be read of a damaged store into a new one, whose indexes, backlinks and counters are made afresh.
///
/// An object is lost when it cannot be known to be there, or when its primary key cannot be read. Any other value that cannot be
/// read is nil or its type's zero in the copy. All of it is reported. The catalog's counters are not trusted, and where the bits
/// that say which objects there are cannot be read, an index tells.
package final class StoreRepair {
  private let version: RepairedVersion
  /// The repair of the store's pages, where they are damaged.
  private let repair: FileRepair?
  private let origin: RepairSource?
  private var source: Snapshot { version.snapshot }
  private let target: Store
  private var report = RepairReport()
  /// The copies by their originals' keys.
  private var copies: [ClassID: [ObjectKey: ObjectKey]] = [:]
  /// The classes of the copy by the originals' numbers.
  private var entries: [ClassID: ClassDescriptor] = [:]

  /// - Parameters:
  ///   - version: The newest version of the damaged store.
  ///   - target: A store without classes.
  package init(_ version: RepairedVersion, into target: Store) {
    self.version = version
    self.target = target
    (origin, repair) = (nil, nil)
  }

  /// - Parameter target: A store without classes.
  package init(_ origin: RepairSource, into target: Store) {
    self.origin = origin
    self.target = target
    (version, repair) = (origin.version, origin.repair)
  }

  /// Copies, and commits what was copied.
  ///
  /// Rules that values be unique together are left out of the copy when what was lost breaks them; the report says so.
  /// - Throws: `RepairError` when the target has classes or the pages of the source cannot be walked; `StorageError` when the
  ///   target cannot be written. Nothing is kept then.
  package func run() throws -> RepairReport {
    if let problem = try source.store.pageProblem() {
      throw RepairError(
        "the pages of '\(source.store.path)' are damaged, so that nothing in it can be trusted (\(problem)); take a backup"
      )
    }
    do {
      return try run(keepsUniqueRules: true)
    } catch let error as StorageError where error.code == .duplicateValue {
      return try run(keepsUniqueRules: false)
    }
  }

  /// The faults that a check finds, so that nothing is left out silently: a leaf that is missing reads as zeros.
  private lazy var problems: [String] = {
    (try? StoreVerifier.verify(source).map(\.description)) ?? []
  }()

  private func run(keepsUniqueRules: Bool) throws -> RepairReport {
    report = RepairReport()
    copies = [:]
    for problem in (repair?.problems ?? []) + version.problems + problems { note(problem) }
    if let repair { report.lose(pages: repair.faultCount, records: repair.losses) }
    report.schemaChanges = version.changes.map { origin?.named($0) ?? $0 }
    report.olderVersions = repair?.fallBacks ?? []
    for lost in version.lostValues { report.loseValues("\(lost.entry.name).\(lost.column.name)", lost.count) }
    let writer = try target.beginWrite()
    do {
      guard writer.schema.classes.isEmpty else {
        throw RepairError("'\(target.path)' has classes already; what is saved goes into a new store")
      }
      var classes = try DumpHeader(source).classes.map(\.declaration)
      if !keepsUniqueRules {
        for index in classes.indices {
          report.droppedRules += classes[index].indexes.filter(\.isUnique).map {
            "\(classes[index].name): \($0.properties.joined(separator: ", "))"
          }
          classes[index].indexes.removeAll(where: \.isUnique)
        }
      }
      try writer.apply(classes, schemaVersion: source.schema.schemaVersion)
      entries = source.schema.classes.reduce(into: [:]) { $0[$1.id] = writer.schema[$1.name] }
      for entry in source.schema.classes where !entry.isEmbedded { try makeObjects(entry, writer) }
      for entry in source.schema.classes where !entry.isEmbedded {
        for (old, new) in (copies[entry.id] ?? [:]).sorted(by: { $0.key < $1.key }) {
          try copyValues(entry, old, new, writer, depth: 0)
        }
      }
      for entry in source.schema.classes where entry.isEmbedded {
        let present = clusters(of: entry).reduce(0) { count, cluster in
          count + (reading { try presentKeys(entry, cluster).count } ?? 0)
        }
        report.loseObjects(of: entry.name, max(0, present - (copies[entry.id]?.count ?? 0)))
      }
      report.objects = copies.values.reduce(0) { $0 + $1.count }
      for entry in source.schema.classes {
        report.savedObjects[entry.name] = copies[entry.id]?.count ?? 0
        if repair?.mayLackObjects ?? false { report.uncountedClasses.insert(entry.name) }
      }
      report.version = try writer.commit()
    } catch {
      writer.cancel()
      throw error
    }
    return report
  }

  // MARK: - Objects

  private func makeObjects(_ entry: ClassDescriptor, _ writer: StoreWriter) throws {
    guard let copy = entries[entry.id] else { return }
    let counted = source.statedCount(of: entry.id)
    var found = 0
    for cluster in clusters(of: entry) {
      guard let keys = reading({ try presentKeys(entry, cluster) }) else { continue }
      for key in keys {
        found += 1
        if let made = try makeObject(entry, copy, key, writer) { copies[entry.id, default: [:]][key] = made }
      }
    }
    // What the catalog counts beyond that was in clusters of which it is not known what they hold.
    report.loseObjects(of: entry.name, max(0, counted - found))
  }

  /// The clusters that may hold objects: those that are stored where a class says that it has far more than objects.
  private func clusters(of entry: ClassDescriptor) -> LiveClusters {
    reading { try source.liveClusters(of: entry.id) } ?? LiveClusters([])
  }

  private func presentKeys(_ entry: ClassDescriptor, _ cluster: Int) throws -> [ObjectKey] {
    guard let presence = try source.presence(entry.id, cluster: cluster) else { return [] }
    let first = UInt64(cluster * source.clusterSize)
    return (0..<presence.count).filter { presence.bool($0) }.map { ObjectKey(rawValue: first + UInt64($0)) }
  }

  private func makeObject(
    _ entry: ClassDescriptor, _ copy: ClassDescriptor, _ key: ObjectKey, _ writer: StoreWriter
  ) throws -> ObjectKey? {
    guard let primary = entry.primaryKey else { return try writer.create(copy.id) }
    guard !isLost(entry, primary, key), let value = reading({ try source.value(entry.id, primary.id, key) }),
      value.isNull ? primary.isOptional : true, try writer.object(copy.id, primaryKey: value) == nil
    else {
      report.loseObjects(of: entry.name, 1)
      return nil
    }
    return try writer.create(copy.id, primaryKey: value)
  }

  // MARK: - Values

  private func copyValues(
    _ entry: ClassDescriptor, _ old: ObjectKey, _ new: ObjectKey, _ writer: StoreWriter, depth: Int
  ) throws {
    guard let copy = entries[entry.id] else { return }
    for column in entry.columns where !column.isPrimaryKey {
      guard let target = copy.column(named: column.name) else { continue }
      let place = RepairPlace(entry: entry, column: column, key: old, copy: copy, copyColumn: target.id, copyKey: new)
      switch column.collection {
      case .none: try copyOne(place, writer, depth)
      case .list, .set: try copyElements(place, writer, depth)
      case .map: try copyMap(place, writer, depth)
      }
    }
  }

  private func copyOne(_ place: RepairPlace, _ writer: StoreWriter, _ depth: Int) throws {
    guard !isLost(place.entry, place.column, place.key),
      let value = reading({ try source.value(place.entry.id, place.column.id, place.key) }),
      (value.isNull && place.column.isOptional) || fits(value, place)
    else { return report.loseValues(place.name, 1) }
    if value.isNull, try isDangling(place) { report.loseLinks(place.name, 1) }
    if let embedded = embeddedClass(place.column) {
      guard case .link(let key) = value else { return }
      try copyEmbedded(embedded, key, writer, depth, place) {
        try writer.createEmbedded(in: place.copy.id, place.copyColumn, place.copyKey)
      }
    } else if let moved = moved(value, place) {
      try writer.set(place.copy.id, place.copyColumn, place.copyKey, moved)
    }
  }

  private func copyElements(_ place: RepairPlace, _ writer: StoreWriter, _ depth: Int) throws {
    guard let list = reading({ try source.list(place.entry.id, place.column.id, place.key) }) else {
      return report.loseValues(place.name, 1)
    }
    guard list.count > 0 || !mayBeLost(place) else { return report.loseValues(place.name, 1) }
    var values: [StoredValue] = []
    var position = 0
    // The first position after those that were found to be lost.
    var readable = 0
    for index in 0..<list.count {
      guard index >= readable else { continue }
      guard let value = reading({ try list.value(at: index) }) else {
        let lost = (list as? ListView)?.unreadable(at: index) ?? index..<index + 1
        report.loseValues(place.name, lost.upperBound - index)
        readable = lost.upperBound
        continue
      }
      guard fits(value, place) else {
        report.loseValues(place.name, 1)
        continue
      }
      if let embedded = embeddedClass(place.column) {
        guard case .link(let key) = value else { continue }
        try copyEmbedded(embedded, key, writer, depth, place) {
          position += 1
          return try writer.insertEmbedded(in: place.copy.id, place.copyColumn, place.copyKey, at: position - 1)
        }
      } else if let moved = moved(value, place) {
        values.append(moved)
      }
    }
    guard !values.isEmpty else { return }
    if place.column.collection == .set {
      try writer.sets.assign(place.copy.id, place.copyColumn, place.copyKey, values)
    } else {
      try writer.lists.assign(place.copy.id, place.copyColumn, place.copyKey, values)
    }
  }

  private func copyMap(_ place: RepairPlace, _ writer: StoreWriter, _ depth: Int) throws {
    guard let map = reading({ try source.map(place.entry.id, place.column.id, place.key) }) else {
      return report.loseValues(place.name, 1)
    }
    guard map.count > 0 || !mayBeLost(place) else { return report.loseValues(place.name, 1) }
    var pairs: [(String, StoredValue)] = []
    for index in 0..<map.count {
      guard let pair = reading({ (try map.key(at: index), try map.value(at: index)) }), fits(pair.1, place) else {
        report.loseValues(place.name, 1)
        continue
      }
      if let embedded = embeddedClass(place.column), case .link(let key) = pair.1 {
        try copyEmbedded(embedded, key, writer, depth, place) {
          try writer.maps.insertEmbedded(in: place.copy.id, place.copyColumn, place.copyKey, mapKey: pair.0)
        }
      } else if let moved = moved(pair.1, place) {
        pairs.append((pair.0, moved))
      }
    }
    if !pairs.isEmpty { try writer.maps.put(place.copy.id, place.copyColumn, place.copyKey, pairs) }
  }

  /// True if a value is one that its property can hold; a required one that is nil is reported by itself.
  private func fits(_ value: StoredValue, _ place: RepairPlace) -> Bool {
    value.isPossible && reading { try place.column.check(value, in: place.entry) } != nil
  }

  /// True if the leaf of a value is missing where pages are damaged: it would read as nil or zero.
  private func isLost(_ entry: ClassDescriptor, _ column: ColumnDescriptor, _ key: ObjectKey) -> Bool {
    guard let repair else { return false }
    let (cluster, _) = source.locate(key)
    guard repair.mayLack(entry.id, column.id, cluster: cluster) else { return false }
    return (reading { try source.leaf(entry.id, column.id, cluster: cluster) } ?? nil) == nil
  }

  /// True if an empty collection may have had elements, on pages that are damaged.
  private func mayBeLost(_ place: RepairPlace) -> Bool {
    repair?.mayLack(place.entry.id, place.column.id, place.key) ?? false
  }

  /// True if nil means a link to an object that is not there.
  private func isDangling(_ place: RepairPlace) throws -> Bool {
    guard place.column.type == .link, !source.store.mayHoldGhosts else { return false }
    let (cluster, slot) = source.locate(place.key)
    let leaf = reading { try source.leaf(place.entry.id, place.column.id, cluster: cluster) } ?? nil
    return leaf.map { slot < $0.count && !$0.isNull(slot) } ?? false
  }

  private func embeddedClass(_ column: ColumnDescriptor) -> ClassDescriptor? {
    column.target.flatMap { source.schema[$0] }.flatMap { $0.isEmbedded ? $0 : nil }
  }

  private func copyEmbedded(
    _ entry: ClassDescriptor, _ key: ObjectKey, _ writer: StoreWriter, _ depth: Int, _ place: RepairPlace,
    _ make: () throws -> ObjectKey
  ) throws {
    // One that belongs to two owners, or to itself, is damage: the first owner has it.
    guard depth < ObjectLine.maximumDepth, copies[entry.id]?[key] == nil,
      reading({ try source.contains(entry.id, key) }) == true
    else { return report.loseValues(place.name, 1) }
    let made = try make()
    copies[entry.id, default: [:]][key] = made
    try copyValues(entry, key, made, writer, depth: depth + 1)
  }

  /// The value as the copy holds it; nil for a link to an object that was lost, and for a value that does not fit its property.
  private func moved(_ value: StoredValue, _ place: RepairPlace) -> StoredValue? {
    switch value {
    case .null: return place.column.isOptional ? .null : nil
    case .link(let key):
      if let copy = place.column.target.flatMap({ copies[$0]?[key] }) { return .link(copy) }
      report.loseLinks(place.name, 1)
      return place.column.collection == .none || place.column.collection == .map ? .null : nil
    case .object(let link):
      if let copy = copies[link.classID]?[link.key], let entry = entries[link.classID] {
        return .object(ObjectLink(classID: entry.id, key: copy))
      }
      report.loseLinks(place.name, 1)
      return .null
    case .list(let elements): return .list(StoredList(elements.compactMap { moved($0, place) }))
    case .dictionary(let entries):
      return .dictionary(
        StoredDictionary(entries.compactMap { entry in moved(entry.value, place).map { (key: entry.key, value: $0) } }))
    default: return value
    }
  }

  /// Returns the result of a read; nil when the read meets damage, which the report then names.
  private func reading<Result>(_ body: () throws -> Result) -> Result? {
    do {
      return try body()
    } catch {
      note("\(error)")
      return nil
    }
  }

  private func note(_ problem: String) { report.note(origin?.named(problem) ?? problem) }
}

/// One property of an object and of its copy.
private struct RepairPlace {
  let entry: ClassDescriptor
  let column: ColumnDescriptor
  let key: ObjectKey
  let copy: ClassDescriptor
  let copyColumn: ColumnID
  let copyKey: ObjectKey

  var name: String { "\(entry.name).\(column.name)" }
}

/// A store of which nothing can be saved.
package struct RepairError: Error, Hashable, Sendable, CustomStringConvertible {
  package var description: String

  init(_ description: String) { self.description = description }
}
