import Foundation
import LarderStorage

/// The classes a Realm was opened with.
public struct Schema: CustomStringConvertible, Equatable {
  let classes: [ModelClass]

  public var objectSchema: [ObjectSchema] { classes.map { ObjectSchema($0) } }
  public var description: String {
    "Schema {\n"
      + objectSchema.map { "\t" + $0.description.replacingOccurrences(of: "\n", with: "\n\t") }
      .joined(separator: "\n") + "\n}"
  }
  public subscript(className: String) -> ObjectSchema? {
    classes.first { $0.name == className }.map { ObjectSchema($0) }
  }
  public static func == (lhs: Schema, rhs: Schema) -> Bool { lhs.objectSchema == rhs.objectSchema }
}

/// One class of a schema.
public struct ObjectSchema: CustomStringConvertible, Equatable {
  let model: ModelClass

  init(_ model: ModelClass) { self.model = model }

  /// In the order of declaration, inherited ones first.
  public var properties: [Property] { model.properties.map { Property($0) } }
  public var className: String { model.name }
  public var objectClass: AnyClass { model.type }
  public var isEmbedded: Bool { model.isEmbedded }
  public var isAsymmetric: Bool { false }
  public var primaryKeyProperty: Property? { model.primaryKey.map { Property($0) } }
  public var description: String {
    let lines = properties.map { "\t" + $0.description.replacingOccurrences(of: "\n", with: "\n\t") }
    return "\(className) {\n\(lines.joined(separator: "\n"))\n}"
  }
  /// A property by its name, those of type `LinkingObjects` included.
  public subscript(propertyName: String) -> Property? {
    (model.property(named: propertyName) ?? model.inverse(named: propertyName)).map { Property($0) }
  }
  public static func == (lhs: ObjectSchema, rhs: ObjectSchema) -> Bool {
    lhs.className == rhs.className && lhs.properties == rhs.properties
  }
}

/// One property of a class.
public struct Property: CustomStringConvertible, Equatable {
  let property: ModelProperty

  init(_ property: ModelProperty) { self.property = property }

  public var name: String { property.name }
  public var columnName: String { property.columnName }
  public var type: PropertyType { property.type }
  public var isArray: Bool { property.kind == .list }
  public var isSet: Bool { property.kind == .set }
  public var isMap: Bool { property.kind == .map }
  public var isIndexed: Bool { property.isIndexed || property.isPrimaryKey }
  /// Whether it keeps a full-text index.
  public var isFullTextIndexed: Bool { property.isFullText }
  public var isOptional: Bool { property.isOptional }
  public var objectClassName: String? { property.objectClassName }
  public var description: String {
    "\(name) {\n\ttype = \(type);\n\tobjectClassName = \(objectClassName ?? "(null)");\n\tcolumnName = \(columnName);\n"
      + "\tindexed = \(isIndexed);\n\tisPrimary = \(property.isPrimaryKey);\n\tarray = \(isArray);\n"
      + "\tset = \(isSet);\n\tdictionary = \(isMap);\n\toptional = \(isOptional);\n}"
  }
  public static func == (lhs: Property, rhs: Property) -> Bool { lhs.property.declaration == rhs.property.declaration }
}
