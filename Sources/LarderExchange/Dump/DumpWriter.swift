import LarderStorage

/// Writes a whole store as JSON Lines that give the same store back, object keys aside.
///
/// The first line holds the schema. Then comes a line for each object, class by class in the order of the schema, with a field
/// for each property. Objects are named by their place among the objects of their class, from 0; embedded objects are in
/// their owners.
package struct DumpWriter {
  private let reader: any StoreReader
  private let places: ObjectPlaces
  private var line: ObjectLine
  package private(set) var objects = 0

  package init(_ reader: any StoreReader) {
    self.reader = reader
    let places = ObjectPlaces(reader)
    self.places = places
    line = ObjectLine(reader) { entry, key in try places.place(of: key, in: entry.id).map { String($0) } }
  }

  /// Links to objects that are deleted: they read as nil and are left out of lists and sets.
  package var danglingLinks: Int { line.danglingLinks }

  /// Writes everything, line by line.
  ///
  /// - Throws: `StorageError` when the store cannot be read; `DumpError` for a store that a dump cannot hold.
  package mutating func run(_ write: (String) throws -> Void) throws {
    let header = try DumpHeader(reader)
    try write(header.line + "\n")
    for entry in reader.schema.classes where !entry.isEmbedded {
      for key in try places.keys(of: entry.id) {
        objects += 1
        try write(try line.object(entry, key) + "\n")
      }
    }
  }
}

/// A store that a dump cannot hold, or a dump that does not fit a store.
package struct DumpError: Error, Hashable, Sendable, CustomStringConvertible {
  package var description: String

  init(_ description: String) { self.description = description }
}
