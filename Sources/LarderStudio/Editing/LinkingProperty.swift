import LarderExchange
import LarderInspection
import LarderStorage

/// A property that leads to an object, as it was before the object was deleted.
struct LinkingProperty: Sendable {
  private enum Content: Sendable {
    case one(StoredValue)
    case many([StoredValue])
    case pairs([(String, StoredValue)])
  }

  /// The object that has the property.
  let object: ObjectLink
  let column: ColumnDescriptor
  private let content: Content

  private init(_ object: ObjectLink, _ column: ColumnDescriptor, in reader: Snapshot) throws {
    (self.object, self.column) = (object, column)
    let (classID, key) = (object.classID, object.key)
    switch column.collection {
    case .none: content = .one(try reader.value(classID, column.id, key))
    case .list: content = .many(try reader.list(classID, column.id, key).values())
    case .set: content = .many(try reader.set(classID, column.id, key).values())
    case .map:
      let map = try reader.map(classID, column.id, key)
      content = .pairs(try (0..<map.count).map { (try map.key(at: $0), try map.value(at: $0)) })
    }
  }

  /// All properties that lead to an object, each once.
  static func all(to object: ObjectLink, in reader: Snapshot) throws -> [LinkingProperty] {
    guard let entry = reader.schema[object.classID] else { return [] }
    return try IncomingLinks(to: entry, object.key, in: reader).origins.flatMap { origin -> [LinkingProperty] in
      let owner = try StoreAccess.entry(named: origin.className, in: reader.schema)
      guard let column = owner.column(named: origin.property) else { return [] }
      return try origin.objects.map {
        try LinkingProperty(ObjectLink(classID: owner.id, key: $0.key), column, in: reader)
      }
    }
  }

  /// Writes what the property held, with objects that were made again in the place of those before. One whose own object is deleted
  /// since, with nothing in its place, is left out.
  func write(_ remade: RemadeObjects, _ writer: StoreWriter) throws {
    func now(_ value: StoredValue) -> StoredValue { remade.now(value, target: column.target) }
    let (classID, key) = (object.classID, remade.now(object).key)
    guard try writer.contains(classID, key) else { return }
    switch content {
    case .one(let value): try writer.set(classID, column.id, key, now(value))
    case .many(let values) where column.collection == .set:
      try writer.sets.assign(classID, column.id, key, values.map(now))
    case .many(let values): try writer.lists.assign(classID, column.id, key, values.map(now))
    case .pairs(let pairs): try writer.maps.assign(classID, column.id, key, pairs.map { ($0.0, now($0.1)) })
    }
  }
}
