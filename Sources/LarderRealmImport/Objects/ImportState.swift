import LarderRealmFile
import LarderStorage

/// The state of an import while it runs: the classes, where their objects went, and its report.
final class ImportState {
  let file: RealmFile
  /// By index in the file; nil for classes that are not carried.
  private(set) var classes: [ImportedClass?] = []
  /// By index in the file: of top-level classes what was carried, of embedded ones what the file has.
  var keys: [KeyRuns]
  /// By index in the file: embedded objects that have a parent already, a bit for each place in `keys`.
  private var owned: [[UInt64]]
  /// Links that were written, by class and property in the file.
  private(set) var links: [[Int]]
  private(set) var report: RealmImportReport
  /// By index in the file: where the class is in the report.
  private var counts: [Int?] = []
  /// Embedded objects that were made and are to be filled. They wait, since each may hold others, however deep.
  var unfilled: [(link: RealmFileLink, stored: ObjectKey)] = []
  private let progress: (RealmImportProgress) -> Void
  private var position = RealmImportProgress(step: .makingObjects, className: "", done: 0, total: 0)

  init(_ file: RealmFile, progress: @escaping (RealmImportProgress) -> Void) throws {
    self.file = file
    self.progress = progress
    keys = Array(repeating: KeyRuns(), count: file.classes.count)
    owned = Array(repeating: [], count: file.classes.count)
    links = file.classes.map { Array(repeating: 0, count: $0.properties.count) }
    report = RealmImportReport(format: file.format, schemaVersion: SchemaConversion.schemaVersion(of: file))
    for source in file.classes {
      let found = try file.objectCount(of: source)
      counts.append(SchemaConversion.isCarried(source) ? report.classes.count : nil)
      if SchemaConversion.isCarried(source) {
        report.classes.append(.init(name: source.name, isEmbedded: source.isEmbedded, found: found))
      } else {
        report.skippedTables.append(
          .init(name: source.name, objects: found, why: "its objects are only sent to a server"))
      }
    }
    report.skippedTables += file.skippedTables.map { name in
      let why =
        RealmFileClass.isRealmsOwn(table: name)
        ? "it is Realm's own" : "it is no class: its name has no class_ before it"
      return .init(name: name, objects: nil, why: why)
    }
  }

  /// Takes the store's classes over once it has them.
  func adopt(_ schema: StoreSchema, notices: [RealmImportReport.PropertyNotice]) throws {
    report.notices = notices
    classes = file.classes.map { source in schema[source.name].map { ImportedClass(source, $0) } }
    for (place, source) in file.classes.enumerated() {
      guard let known = classes[place] else { continue }
      let count = try file.objectCount(of: source)
      if !known.isEmbedded { position.total += known.others.isEmpty ? count : 2 * count }
    }
  }

  // MARK: - Embedded objects

  /// Notes the objects of an embedded class that the file has.
  func notePlaces(ofEmbedded index: Int, _ found: [Int64]) throws {
    for key in found where !keys[index].append(key, as: ObjectKey(rawValue: 0)) { throw unordered(index, key) }
    owned[index] += Array(repeating: 0, count: (keys[index].count + 63) / 64 - owned[index].count)
  }

  /// Takes an embedded object for a parent; false when another has it, nil when there is none.
  func takeEmbedded(_ link: RealmFileLink) -> Bool? {
    guard let place = keys[link.classIndex].place(of: link.key) else { return nil }
    let bit: UInt64 = 1 << UInt64(place % 64)
    guard owned[link.classIndex][place / 64] & bit == 0 else { return false }
    owned[link.classIndex][place / 64] |= bit
    return true
  }

  /// True if an embedded object has found its parent.
  func isOwned(_ index: Int, place: Int) -> Bool { owned[index][place / 64] >> UInt64(place % 64) & 1 == 1 }

  func unordered(_ index: Int, _ key: Int64) -> StorageError {
    let name = file.classes[index].name
    return StorageError(
      .corrupted, "The objects of '\(name)' are not in the order of their keys, at \(key): the file is damaged.",
      className: name)
  }

  // MARK: - Reporting

  func countCarried(_ index: Int, _ objects: Int = 1) {
    if let place = counts[index] { report.classes[place].carried += objects }
  }

  func countLinks(_ index: Int, _ property: Int, _ count: Int = 1) {
    links[index][property] += count
  }

  func omit(_ index: Int, _ key: Int64, _ property: Int?, _ reason: RealmOmission.Reason, _ detail: String) {
    let source = file.classes[index]
    report.add(
      RealmOmission(
        className: source.name, key: key, property: property.map { source.properties[$0].name }, reason: reason,
        detail: detail))
  }

  /// Takes over what the file's own check of its links has found.
  func note(_ links: RealmFileLinkReport) {
    report.unresolvedLinks = links.unresolved.values.reduce(0, +)
    report.faults = links.faults
  }

  /// Puts the numbers of links into the report.
  func finish() {
    for (index, place) in counts.enumerated() {
      if let place { report.classes[place].links = links[index].reduce(0, +) }
    }
  }

  func show(_ step: RealmImportProgress.Step, _ className: String, done: Int = 0) {
    position.step = step
    position.className = className
    position.done += done
    progress(position)
  }
}
