import LarderStorage

/// One object as a line of JSON that keeps every bit of every value.
package struct ObjectLine {
  private let reader: any StoreReader
  /// The JSON that names a linked object; nil when it is deleted.
  private let nameOf: (ClassDescriptor, ObjectKey) throws -> String?
  /// Links to objects that are deleted, so far: they read as nil and are left out of lists and sets.
  private(set) var danglingLinks = 0

  package init(_ reader: any StoreReader, nameOf: @escaping (ClassDescriptor, ObjectKey) throws -> String?) {
    self.reader = reader
    self.nameOf = nameOf
  }

  /// The deepest level of embedded objects and of values within values that is followed: the stack has an end.
  package static let maximumDepth = 400

  /// The object as JSON, embedded objects in it.
  ///
  /// - Throws: `StorageError` when it cannot be read, `DumpError` when it is nested too deep.
  mutating func object(_ entry: ClassDescriptor, _ key: ObjectKey, depth: Int = 0) throws -> String {
    guard depth < Self.maximumDepth else {
      throw DumpError("an object of '\(entry.name)' is embedded more than \(Self.maximumDepth) levels deep")
    }
    var text = "{"
    for column in entry.columns {
      if text.utf8.count > 1 { text += ", " }
      text += JSONText.dumpQuote(column.name) + ": " + (try property(column, entry, key, depth))
    }
    return text + "}"
  }

  /// One property as JSON.
  package mutating func property(
    _ column: ColumnDescriptor, _ entry: ClassDescriptor, _ key: ObjectKey, _ depth: Int = 0
  ) throws -> String {
    switch column.collection {
    case .none: return try value(try reader.value(entry.id, column.id, key), column, depth) ?? "null"
    case .list, .set:
      var elements: [String] = []
      for element in try reader.list(entry.id, column.id, key).values() {
        if let text = try value(element, column, depth) { elements.append(text) }
      }
      return "[" + elements.joined(separator: ", ") + "]"
    case .map:
      // Pairs, because keys may be equal to Unicode and JSON readers while their bytes differ.
      let map = try reader.map(entry.id, column.id, key)
      var pairs: [String] = []
      for (name, element) in zip(try map.keys.values(), try map.values.values()) {
        pairs.append("[\(DumpValue.text(name)), \(try value(element, column, depth) ?? "null")]")
      }
      return "[" + pairs.joined(separator: ", ") + "]"
    }
  }

  /// A value; nil for a link to an object that is deleted.
  mutating func value(_ value: StoredValue, _ column: ColumnDescriptor, _ depth: Int) throws -> String? {
    if column.type == .mixed { return try mixed(value, depth) }
    guard case .link(let key) = value else { return DumpValue.text(value) }
    guard let target = column.target.flatMap({ reader.schema[$0] }) else {
      throw DumpError("the links of '\(column.name)' lead to no class")
    }
    guard try reader.contains(target.id, key) else {
      danglingLinks += 1
      return nil
    }
    return target.isEmbedded ? try object(target, key, depth: depth + 1) : try nameOf(target, key)
  }

  // MARK: - Values of any type

  private mutating func mixed(_ value: StoredValue, _ depth: Int) throws -> String {
    guard depth < Self.maximumDepth else {
      throw DumpError("a value of any type holds others more than \(Self.maximumDepth) levels deep")
    }
    switch value {
    case .null: return "null"
    case .object(let link):
      guard let entry = reader.schema[link.classID], try reader.contains(entry.id, link.key),
        let name = try nameOf(entry, link.key)
      else {
        danglingLinks += 1
        return "null"
      }
      return "{\"link\": [\(JSONText.dumpQuote(entry.name)), \(name)]}"
    case .list(let elements):
      var texts: [String] = []
      for element in elements { texts.append(try mixed(element, depth + 1)) }
      return "{\"list\": [\(texts.joined(separator: ", "))]}"
    case .dictionary(let entries):
      var texts: [String] = []
      for entry in entries { texts.append("[\(JSONText.dumpQuote(entry.key)), \(try mixed(entry.value, depth + 1))]") }
      return "{\"map\": [\(texts.joined(separator: ", "))]}"
    default:
      guard let type = value.type else { throw DumpError("a value of any type has a type not known here") }
      return "{\"\(TypeName.name(of: type))\": \(DumpValue.text(value))}"
    }
  }
}
