import LarderExchange
import LarderStorage

/// The new value of a property, made of a text.
///
/// Scalars are written as in a CSV file, links as the primary key of the object they lead to, lists and sets as JSON arrays and
/// maps as JSON objects of the same.
struct EditValue {
  private enum Content {
    case one(StoredValue)
    case many([StoredValue])
    case pairs([(String, StoredValue)])
  }

  private let content: Content

  /// - Parameter text: Nil for null.
  init(
    _ text: String?, for column: ColumnDescriptor, of entry: ClassDescriptor, path: String, in reader: some StoreReader
  ) throws {
    if column.type == .mixed { throw EditError("'\(path)' holds values of any type, which cannot be set from a text") }
    let target = column.target.flatMap { reader.schema[$0] }
    if let target, target.isEmbedded, text != nil || column.collection != .none {
      throw EditError("'\(path)' holds embedded objects: set their properties, as '\(path).name'")
    }
    func element(_ node: InputNode) throws -> StoredValue {
      guard let target, !ValueConverter(nullMarkers: []).isNull(node) else {
        return try Self.scalar(node, column, path)
      }
      guard let name = Self.name(node) else { throw EditError("'\(path)': a link is the text of a primary key") }
      return .link(try StoreAccess.object(target, primaryKey: name, in: reader))
    }
    switch column.collection {
    case .none:
      content = .one(try element(text.map { InputNode(.text($0), at: 0) } ?? InputNode(.null, at: 0)))
    case .list, .set:
      guard case .array(let nodes) = try Self.parse(text, path).value else {
        throw EditError("'\(path)' is a \(column.collection == .list ? "list" : "set"): a JSON array was expected")
      }
      content = .many(try nodes.map(element))
    case .map:
      guard case .object(let fields) = try Self.parse(text, path).value else {
        throw EditError("'\(path)' is a map: a JSON object was expected")
      }
      content = .pairs(try fields.map { ($0.name, try element($0.node)) })
    }
  }

  private static func parse(_ text: String?, _ path: String) throws -> InputNode {
    guard let text else { throw EditError("'\(path)' is a collection and cannot be null") }
    do {
      return try JSONParser.parse(Array(text.utf8))
    } catch let fault as RecordFault { throw EditError("'\(path)', byte \(fault.offset + 1): \(fault.message)") }
  }

  private static func name(_ node: InputNode) -> String? {
    switch node.value {
    case .text(let text), .string(let text): text
    case .integer(let number): String(number)
    default: nil
    }
  }

  /// The value of a text in a column.
  static func scalar(_ text: String, _ column: ColumnDescriptor) throws -> StoredValue {
    try scalar(InputNode(.text(text), at: 0), column, column.name)
  }

  private static func scalar(_ node: InputNode, _ column: ColumnDescriptor, _ path: String) throws -> StoredValue {
    do {
      // A text that is there is never null, even an empty one.
      if case .text("") = node.value, column.type == .string { return .string("") }
      return try ValueConverter(nullMarkers: []).value(
        node, as: column.type, isOptional: column.isOptional, property: path)
    } catch let fault as RecordFault { throw EditError(fault.message) }
  }

  /// The number of elements of a collection.
  var count: Int {
    switch content {
    case .one: 1
    case .many(let values): values.count
    case .pairs(let pairs): pairs.count
    }
  }

  /// The value as JSON, as `tree` shows the property's values.
  func json(_ column: ColumnDescriptor, _ tree: ObjectTree) throws -> String {
    func shown(_ value: StoredValue) throws -> ShownValue { try tree.value(value, of: column) }
    switch content {
    case .one(let value): return JSONText.value(try shown(value))
    case .many(let values): return JSONText.value(.list(try values.map(shown), total: values.count))
    case .pairs(let pairs):
      return JSONText.value(.map(try pairs.map { (key: $0.0, value: try shown($0.1)) }, total: pairs.count))
    }
  }

  func write(_ place: EditPlace, _ owner: ObjectKey, _ writer: StoreWriter) throws {
    let (classID, column) = (place.entry.id, place.column.id)
    switch content {
    case .one(let value): try writer.set(classID, column, owner, value)
    case .many(let values):
      if place.column.collection == .list {
        try writer.lists.assign(classID, column, owner, values)
      } else {
        try writer.sets.assign(classID, column, owner, values)
      }
    case .pairs(let pairs): try writer.maps.assign(classID, column, owner, pairs)
    }
  }
}
