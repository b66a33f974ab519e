// Names in schemas.
extension SchemaClass {
  /// A property by its name. O(log n).
  public func property(_ name: SyncText) -> SchemaProperty? {
    var (low, high) = (0, properties.count)
    while low < high {
      let middle = (low + high) / 2
      if properties[middle].name < name { low = middle + 1 } else { high = middle }
    }
    return low < properties.count && properties[low].name == name ? properties[low] : nil
  }
}

extension SyncSchema {
  /// Throws when the name of a class or of a property is longer than what can be synchronised.
  public func checkNames() throws(TooLongName) {
    for schemaClass in classes {
      try Self.check(schemaClass.name, .className, "'\(schemaClass.name)'")
      for property in schemaClass.properties {
        try Self.check(property.name, .propertyName, "'\(schemaClass.name).\(property.name)'")
      }
    }
  }

  private static func check(_ name: SyncText, _ limit: SyncLimit, _ place: String) throws(TooLongName) {
    do throws(SyncLimitExceeded) { try limit.check(name.string.utf8.count) } catch {
      throw TooLongName(name: place, exceeded: error)
    }
  }

  /// The classes and properties that another schema has and this one does not, in words: `'City'`, `'City.mayor'`. Of a class that is missing the
  /// properties are not listed.
  public func missing(of other: SyncSchema) -> [String] {
    let known = Dictionary(classes.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    return other.classes.flatMap { schemaClass -> [String] in
      guard let own = known[schemaClass.name] else { return ["'\(schemaClass.name)'"] }
      return schemaClass.properties.filter { own.property($0.name) == nil }
        .map { "'\(schemaClass.name).\($0.name)'" }
    }
  }
}

/// A name in a schema that is longer than what can be synchronised.
public struct TooLongName: Error, Hashable, Sendable, CustomStringConvertible {
  /// The class, or the class and the property, in quotation marks.
  public let name: String
  /// The length of the name, with the limit that it exceeds.
  public let exceeded: SyncLimitExceeded

  public var description: String { "\(name): \(exceeded)" }
}
