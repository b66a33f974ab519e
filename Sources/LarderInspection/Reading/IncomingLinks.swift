import LarderExchange
import LarderStorage

/// The objects that link to one, property by property.
package struct IncomingLinks {
  /// The objects that link through one property, in the order of their keys.
  package struct Origin: Sendable {
    package var className: String
    package var property: String
    package var objects: [ObjectName]
    package var total: Int
  }

  package let origins: [Origin]

  /// Looks them up by the backlinks that the store keeps.
  ///
  /// - Parameter limit: How many objects of a property are named at most.
  /// - Throws: `StorageError` when they cannot be read.
  package init(to entry: ClassDescriptor, _ key: ObjectKey, in reader: any StoreReader, limit: Int = .max) throws {
    let tree = ObjectTree(reader)
    let target = ObjectLink(classID: entry.id, key: key)
    origins = try Self.places(entry, reader.schema).compactMap { origin in
      var keys: [ObjectKey] = []
      // Once for each link, in order.
      for key in try reader.backlinks(to: target, from: origin.origin.id, origin.column.id) where keys.last != key {
        keys.append(key)
      }
      guard !keys.isEmpty else { return nil }
      return Origin(
        className: origin.origin.name, property: origin.column.name,
        objects: try keys.prefix(limit).map { try tree.name(origin.origin, $0) }, total: keys.count)
    }
  }

  /// The properties that may link to objects of a class: links to it and, unless it is embedded, values of any type.
  private static func places(
    _ entry: ClassDescriptor, _ schema: StoreSchema
  ) -> [(origin: ClassDescriptor, column: ColumnDescriptor)] {
    let links = schema.origins(of: entry.id)
    guard !entry.isEmbedded else { return links }
    return links
      + schema.classes.flatMap { origin in
        origin.columns.filter { $0.type == .mixed }.map { (origin, $0) }
      }
  }

  /// Counts the links, where an object may link more than once.
  ///
  /// - Throws: `StorageError` when they cannot be read.
  static func count(to entry: ClassDescriptor, _ key: ObjectKey, in reader: any StoreReader) throws -> Int {
    let target = ObjectLink(classID: entry.id, key: key)
    return try places(entry, reader.schema).reduce(0) { sum, origin in
      sum + (try reader.backlinks(to: target, from: origin.origin.id, origin.column.id).count)
    }
  }

  /// A line for each property, followed by the objects, indented.
  package var text: String {
    var lines: [String] = []
    for origin in origins {
      let count = "\(origin.total) object\(origin.total == 1 ? "" : "s")"
      lines.append("  ← \(VisibleText.line("\(origin.className).\(origin.property)"))  \(count)")
      for (index, name) in origin.objects.enumerated() { lines.append("    [\(index)] ← \(name.text)") }
      let more = origin.total - origin.objects.count
      if more > 0 { lines.append("    … \(more) more (--list-limit shows them)") }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// An array of `{"class", "property", "objects": [names]}`.
  package var json: String {
    let values = origins.map { origin -> JSONValue in
      [
        "class": .init(origin.className), "property": .init(origin.property),
        "objects": .init(origin.objects.map { JSONValue(written: $0.json) }),
      ]
    }
    return JSONValue(values).text
  }
}
