import Foundation
import LarderExchange
import LarderInspection
import LarderStorage

/// Everything that can be read of a store, as one text.
struct StoreReading {
  private(set) var text = ""
  /// The part of it that makes the store again.
  private(set) var dump = ""
  /// The places of objects in their classes: keys are of the file, not of what a user stored.
  private var places: [ClassID: [ObjectKey: Int]] = [:]

  /// Reads all objects, and asks queries that scan, that use indexes, and that sort.
  init(_ path: String) throws { try self.init(StoreAccess.open(reading: path).snapshot()) }

  /// The same of a version.
  init(_ snapshot: Snapshot) throws {
    var dump = DumpWriter(snapshot)
    try dump.run { text += $0 }
    self.dump = text
    for entry in snapshot.schema.classes {
      try snapshot.forEachKey(of: entry.id) { key in
        places[entry.id, default: [:]][key] = places[entry.id]?.count ?? 0
        return true
      }
    }
    text += "\(dump.danglingLinks) links to nothing\n"
    for entry in snapshot.schema.classes where !entry.isEmbedded {
      for column in entry.columns where column.collection == .none {
        for predicate in Self.predicates(column) { try ask(snapshot, entry, predicate, sort: []) }
        if column.hasIndex { try ask(snapshot, entry, nil, sort: [column.name + ":desc"]) }
      }
      try lookUp(snapshot, entry)
    }
  }

  private static func predicates(_ column: ColumnDescriptor) -> [String] {
    switch column.type {
    case .int: ["\(column.name) > 100 AND \(column.name) < 900", "\(column.name) == 103"]
    case .double, .float: ["\(column.name) > 3.5"]
    case .string:
      ["\(column.name) == 'name 3'", "\(column.name) CONTAINS 'e 1'"]
        + (column.isFullText ? ["\(column.name) TEXT 'word'"] : [])
    case .bool: ["\(column.name) == true"]
    case .date, .uuid, .objectId, .data: column.isOptional ? ["\(column.name) != nil"] : []
    case .link: ["\(column.name) != nil"]
    default: []
    }
  }

  private mutating func ask(
    _ snapshot: Snapshot, _ entry: ClassDescriptor, _ predicate: String?, sort: [String]
  ) throws {
    var request = QueryRunner.Request(className: entry.name)
    request.predicate = predicate
    request.sort = sort
    request.format = .csv
    request.properties = [entry.columns[0].name]
    var answer = ""
    let count = try QueryRunner(snapshot, request).run { answer += $0 }
    text += "\(entry.name) \(predicate ?? "all") \(sort): \(count)\n\(answer)"
  }

  /// Finds each object by its primary key, and who links to it.
  private mutating func lookUp(_ snapshot: Snapshot, _ entry: ClassDescriptor) throws {
    guard let primary = entry.primaryKey else { return }
    try snapshot.forEachKey(of: entry.id) { key in
      let value = try snapshot.value(entry.id, primary.id, key)
      text += "\(try snapshot.object(entry.id, primaryKey: value) == key)"
      for (origin, column) in snapshot.schema.origins(of: entry.id) {
        let target = ObjectLink(classID: entry.id, key: key)
        let found = try snapshot.backlinks(to: target, from: origin.id, column.id)
        text += " \(found.map { places[origin.id]?[$0] ?? -1 })"
      }
      return true
    }
  }
}
