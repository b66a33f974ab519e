import Foundation
import LarderExchange
import LarderInspection
import LarderStorage

/// Answers about the store as a whole.
struct StoreAnswers {
  private let studio: StudioStore
  private let snapshot: Snapshot
  private var version: JSONValue { .init(snapshot.version) }

  init(_ studio: StudioStore, _ snapshot: Snapshot) {
    (self.studio, self.snapshot) = (studio, snapshot)
  }

  func store() throws -> String {
    let name = URL(fileURLWithPath: studio.path).lastPathComponent
    return StudioJSON.joined(
      [("name", .init(name)), ("writable", .init(studio.isWritable))], try StoreReport(studio.store).json())
  }

  func classes() throws -> String {
    let list = try ClassListing(snapshot).json()
    return (["version": version, "classes": .init(written: list)] as JSONValue).line
  }

  func schema(_ format: String?) throws -> String {
    let schema = SchemaRendering(snapshot.schema)
    switch format ?? "json" {
    case "json": return (["version": version, "schema": .init(written: schema.json())] as JSONValue).line
    case "swift": return (["version": version, "text": .init(schema.swift())] as JSONValue).line
    case "mermaid": return (["version": version, "text": .init(schema.mermaid())] as JSONValue).line
    case let other: throw RequestFault("There is no format '\(other)': say json, swift or mermaid.")
    }
  }

  func space() throws -> String {
    let report = try SpaceReport(studio.store)
    let free = try StoreStatistics(snapshot).freePages * StoreStatistics.pageSize
    return StudioJSON.joined([("version", version), ("freeBytes", .init(free))], report.json())
  }

  /// The newest commits with the classes that they touched.
  func versions(limit: Int) throws -> String {
    let log = studio.store.log
    let bounds = try log.bounds(in: snapshot.transaction)
    var commits: [JSONValue] = []
    if let bounds, limit > 0 {
      let first = max(bounds.lowerBound, bounds.upperBound - min(bounds.upperBound, UInt64(limit) - 1))
      try log.forEach(first...bounds.upperBound, in: snapshot.transaction) { version, record in
        let classes = record.classes.map { changes -> JSONValue in
          return [
            "class": .init(snapshot.schema[changes.classID]?.name ?? "#\(changes.classID.rawValue)"),
            "inserted": .init(changes.inserted.count), "deleted": .init(changes.allDeleted.count),
            "modified": .init(Self.modified(changes).count),
          ]
        }
        commits.append(["version": .init(version), "classes": .init(classes)])
        return true
      }
    }
    let value: JSONValue = [
      "version": version, "oldestVersion": .init(bounds.map { $0.lowerBound - 1 }),
      "commits": .init(commits.reversed()),
    ]
    return value.line
  }

  /// Objects with other values or elements, those aside that came or went in the same commit.
  private static func modified(_ changes: ClassChanges) -> KeyRanges {
    let values = changes.modified.reduce(KeyRanges()) { $0.union($1.keys) }
    let owners =
      changes.lists.map(\.key) + changes.sets.map(\.key) + changes.maps.map(\.key) + changes.nested.map(\.key)
    return values.union(KeyRanges(owners)).subtracting(changes.inserted).subtracting(changes.allDeleted)
  }

  /// Readers of all processes, this one among them.
  func readers() throws -> String {
    let readers = try studio.store.liveReaders(measuresHeld: true).filter { $0.version != nil }.map {
      reader -> JSONValue in
      let name = try? String(contentsOfFile: "/proc/\(reader.process)/comm", encoding: .utf8)
      return [
        "process": .init(reader.process), "name": .init(name.map { $0.filter { !$0.isNewline } }),
        "version": .init(reader.version), "commitsBehind": .init(reader.commitsBehind),
        "heldBytes": .init(written: reader.heldBytes.map { String($0) } ?? "null"),
        "heldSeconds": .init(written: reader.heldSeconds.map { String($0) } ?? "null"),
      ]
    }
    return (["version": version, "readers": .init(readers)] as JSONValue).line
  }

  func diff(from: UInt64, to: UInt64?) throws -> String {
    let scratch = "\(FileManager.default.temporaryDirectory.path)/larder-studio-\(UUID().uuidString)"
    let difference = try VersionDifference(snapshot, from: from, to: to, scratch: scratch)
    var changes = difference.unknownClasses.map { name -> JSONValue in
      ["change": .init("unknown"), "class": .init(name)]
    }
    for name in difference.classNames {
      try difference.run(className: name) { change in
        changes.append(JSONValue(written: String(DifferenceText.json(change).dropLast())))
      }
    }
    let value: JSONValue = [
      "version": version, "from": .init(from), "to": .init(to ?? snapshot.version), "changes": .init(changes),
    ]
    return value.line
  }

  /// Tries a schema file on a copy and returns what it would do: the store itself is only read.
  func migrationPreview(_ body: [UInt8]) throws -> String {
    let file = try SchemaFile.parse(body, name: "schema.json")
    let folder = "\(FileManager.default.temporaryDirectory.path)/larder-studio-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let copy = "\(folder)/copy.larder"
    try Store.copy(from: studio.store.path, to: copy, key: studio.store.isEncrypted ? StoreAccess.keySource.key() : nil)
    let report = try StoreMigrator(store: try StoreAccess.open(writing: copy), file: file).run(isDryRun: true)
    return StudioJSON.joined([("studioVersion", version)], MigrationText(report, isDryRun: true).json())
  }
}
