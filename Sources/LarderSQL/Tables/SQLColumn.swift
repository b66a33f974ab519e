import LarderExchange
import LarderStorage

/// A column of a table, and where its values come from.
struct SQLColumn: Hashable, Sendable {
  enum Content: Hashable, Sendable {
    /// A property of the row's object, over links to embedded objects.
    case property(links: [Step], Step)
    /// The key of the object whose collection the row is in.
    case owner
    /// The place in a list, from 0: in that of the element, or in one that its owner is in; those are counted from the outermost.
    case position(level: Int)
    /// The key of an entry of a map, counted likewise.
    case key(level: Int)
    /// The element itself.
    case element
  }

  /// A property of a class.
  struct Step: Hashable, Sendable {
    var classID: ClassID
    var column: ColumnDescriptor
  }

  var name: String
  var content: Content
  var type: ColumnType
  /// The primary key that a link shows; nil where it shows the object's key.
  var linked: Step?

  /// The type for SQLite, which decides by it how constants are converted that columns are compared with.
  var declaredType: String {
    switch content {
    case .owner, .position: "INTEGER"
    case .key: "TEXT"
    case .property, .element:
      switch linked?.column.type ?? type {
      case .bool, .int, .link: "INTEGER"
      case .float, .double: "REAL"
      case .string, .date, .uuid, .objectId, .decimal128: "TEXT"
      case .data, .mixed: "BLOB"
      }
    }
  }

  /// The property with the embedded objects before it, if it is reached from the objects themselves: what a condition can be about.
  var reachedProperty: (links: [String], column: ColumnDescriptor)? {
    guard case .property(let links, let step) = content else { return nil }
    return (links.map(\.column.name), step.column)
  }

  /// The property, if it is one of the objects themselves: what a scan can be sorted by.
  var ownProperty: ColumnDescriptor? {
    guard case .property(let links, let step) = content, links.isEmpty else { return nil }
    return step.column
  }
}

extension SQLColumn.Step {
  /// The primary key that links of a column show; nil where they show the object's key.
  init?(linkedBy column: ColumnDescriptor, in schema: StoreSchema) {
    guard column.type == .link, let target = column.target.flatMap({ schema[$0] }) else { return nil }
    self.init(naming: target)
  }

  /// The primary key that links to the objects of a class show; nil where they show the object's key.
  init?(naming target: ClassDescriptor) {
    guard !target.isEmbedded, let key = LinkNaming.property(of: target), key.collection == .none else { return nil }
    switch key.type {
    case .link, .mixed, .decimal128: return nil
    case .bool, .int, .float, .double, .string, .data, .date, .uuid, .objectId:
      self.init(classID: target.id, column: key)
    }
  }
}
