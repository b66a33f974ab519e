/// The properties that a value for an object supplies: of a dictionary, an array or another object (contract 9.1).
struct SuppliedValues {
  private let find: (ModelProperty) throws -> Any?

  /// Throws for anything else, and for an array that is too long.
  init(_ value: Any, _ model: ModelClass) throws {
    if let values = value as? [String: Any] {
      find = { values[$0.name] ?? values[$0.columnName] }
    } else if let object = ValueConverter.object(value) {
      let source = object.model
      find = { property in try source.property(named: property.name).map { try object.verifiedValue($0) } }
    } else if let values = value as? [Any] {
      guard values.count <= model.properties.count else { throw Realm.Error.tooMany(values.count, model) }
      find = { $0.index < values.count ? values[$0.index] : nil }
    } else {
      throw Realm.Error.noObject(value, model)
    }
  }

  /// The value for a property; nil when none is supplied. Throws when it is to come from an object that cannot be read.
  func value(_ property: ModelProperty) throws -> Any? { try find(property) }

  static func isPossible(_ value: Any) -> Bool {
    value is [String: Any] || ValueConverter.object(value) != nil || value is [Any]
  }
}
