import LarderExchange
import LarderStorage

/// A property by its path: `name`, or `location.latitude` through embedded objects.
struct EditPlace {
  /// To-one properties of embedded objects on the way, each with its class.
  private let steps: [(entry: ClassDescriptor, column: ColumnDescriptor)]
  let entry: ClassDescriptor
  let column: ColumnDescriptor
  let path: String

  init(_ path: String, in entry: ClassDescriptor, _ schema: StoreSchema) throws {
    var names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let last = names.removeLast()
    var steps: [(ClassDescriptor, ColumnDescriptor)] = []
    var current = entry
    for name in names {
      let column = try Self.column(name, in: current)
      guard column.collection == .none, let target = column.target.flatMap({ schema[$0] }), target.isEmbedded else {
        throw EditError("'\(path)': '\(name)' is no embedded object")
      }
      steps.append((current, column))
      current = target
    }
    column = try Self.column(last, in: current)
    guard !column.isPrimaryKey else { throw EditError("'\(path)' is the primary key, which stays what it is") }
    self.steps = steps
    self.entry = current
    self.path = path
  }

  /// True if the property is one of an embedded object.
  var isNested: Bool { !steps.isEmpty }

  /// The error that says why it cannot be set.
  var ownerIsNil: EditError { EditError("'\(path)': the embedded object that it belongs to is nil") }

  private static func column(_ name: String, in entry: ClassDescriptor) throws -> ColumnDescriptor {
    if let column = entry.column(named: name) { return column }
    throw StorageError(
      .unknownProperty,
      "The class '\(entry.name)' has no property '\(name)'.\(Suggestion.sentence(for: name, in: entry.columns.map(\.name)))",
      className: entry.name, property: name)
  }

  /// The object that has the property; nil when an embedded one on the way is.
  func owner(of key: ObjectKey, in reader: some StoreReader) throws -> ObjectKey? {
    var current = key
    for step in steps {
      guard case .link(let next) = try reader.value(step.entry.id, step.column.id, current) else { return nil }
      current = next
    }
    return current
  }

  /// The value that a text means.
  func value(_ text: String?, in reader: some StoreReader) throws -> EditValue {
    try EditValue(text, for: column, of: entry, path: path, in: reader)
  }
}
