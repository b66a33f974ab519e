import Foundation
import LarderStorage

/// The classes a Realm was opened with.
public struct Schema: CustomStringConvertible, Equatable {
  let classes: [ModelClass]

  /// The classes.
  public var objectSchema: [ObjectSchema] { classes.map { ObjectSchema($0) } }
  public var description: String {
    "Schema {\n"
      + objectSchema.map { "\t" + $0.description.replacingOccurrences(of: "\n", with: "\n\t") }
      .joined(separator: "\n") + "\n}"
  }
  /// A class by name; nil when it is not in the schema.
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
  /// The name of the class in the store.
  public var className: String { model.name }
  /// The Swift class.
  public var objectClass: AnyClass { model.type }
  /// A Boolean value that says whether the objects live inside others.
  public var isEmbedded: Bool { model.isEmbedded }
  /// A Boolean value that says whether its objects are only sent to the server (Y-46); false in every local Realm.
  public var isAsymmetric: Bool { model.type.isAsymmetric() }
  /// The primary key; nil for a class without one.
  public var primaryKeyProperty: Property? { model.primaryKey.map { Property($0) } }
  public var description: String {
    // Inverse properties come after those that are stored.
    let lines = (properties + model.inverses.map { Property($0) }).map {
      "\t" + $0.description.replacingOccurrences(of: "\n", with: "\n\t")
    }
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

  /// The name in Swift.
  public var name: String { property.name }
  /// The name in the store.
  public var columnName: String { property.columnName }
  /// The type, of a collection that of its elements.
  public var type: PropertyType { property.type }
  /// A Boolean value that says whether it is a list.
  public var isArray: Bool { property.kind == .list }
  /// A Boolean value that says whether it is a set.
  public var isSet: Bool { property.kind == .set }
  /// A Boolean value that says whether it is a map.
  public var isMap: Bool { property.kind == .map }
  /// A Boolean value that says whether it has an index for comparisons; primary keys have one.
  public var isIndexed: Bool { property.isIndexed || property.isPrimaryKey }
  /// A Boolean value that says whether it keeps a full-text index.
  public var isFullTextIndexed: Bool { property.isFullText }
  /// A Boolean value that says whether nil fits, of a collection among its elements.
  public var isOptional: Bool { property.isOptional }
  /// The class that is linked to; nil for values.
  public var objectClassName: String? { property.objectClassName }
  public var description: String {
    func text(_ flag: Bool) -> String { flag ? "YES" : "NO" }
    var lines = ["type = \(type.text)"]
    if type == .object || type == .linkingObjects {
      lines.append("objectClassName = \(objectClassName ?? "(null)")")
      lines.append("linkOriginPropertyName = \(property.originName ?? "(null)")")
    }
    lines += [
      "columnName = \(columnName)", "indexed = \(text(isIndexed))", "isPrimary = \(text(property.isPrimaryKey))",
      "array = \(text(isArray || type == .linkingObjects))", "set = \(text(isSet))", "dictionary = \(text(isMap))",
      "optional = \(text(isOptional))",
    ]
    return "\(name) {\n" + lines.map { "\t\($0);\n" }.joined() + "}"
  }
  public static func == (lhs: Property, rhs: Property) -> Bool { lhs.property.hasSameDeclaration(as: rhs.property) }
}
