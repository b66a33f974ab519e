import LarderRealmFile
import LarderStorage

/// A class of a `.realm` file with the class of the store that it becomes.
struct ImportedClass {
  /// A property with its column.
  struct Property {
    /// Its index among the properties in the file.
    var index: Int
    var column: ColumnDescriptor
    /// The index in the file of the class that links lead to.
    var target: Int?
  }

  let source: RealmFileClass
  let descriptor: ClassDescriptor
  let primaryKey: Property?
  /// Single values that link to nothing: they are set when the object is made.
  let scalars: [Property]
  /// The properties that are set when all objects are made: links, mixed values and collections.
  let others: [Property]

  init(_ source: RealmFileClass, _ descriptor: ClassDescriptor) {
    self.source = source
    self.descriptor = descriptor
    let properties = source.properties.enumerated().compactMap { index, property in
      descriptor.column(named: property.name).map { Property(index: index, column: $0, target: property.targetIndex) }
    }
    primaryKey = properties.first { $0.column.isPrimaryKey }
    let values = properties.filter { !$0.column.isPrimaryKey }
    func isScalar(_ column: ColumnDescriptor) -> Bool {
      column.collection == .none && column.type != .link && column.type != .mixed
    }
    scalars = values.filter { isScalar($0.column) }
    others = values.filter { !isScalar($0.column) }
  }

  var id: ClassID { descriptor.id }
  var name: String { descriptor.name }
  var isEmbedded: Bool { descriptor.isEmbedded }
}
