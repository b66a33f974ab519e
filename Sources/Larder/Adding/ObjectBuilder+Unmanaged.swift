/// Unmanaged objects from dictionaries, arrays and other objects (O-1).
extension ObjectBuilder {
  /// The greatest depth to which objects of a nested value may be in each other. Objects that are made one by one may be linked to any depth.
  static let maximumDepth = 500

  static func tooDeep(_ model: ModelClass) -> Realm.Error {
    .invalid(
      "The value for \(model.name) nests deeper than \(maximumDepth) objects; make the objects one by one and link them.",
      className: model.name)
  }

  /// Fills an unmanaged object from a value; throws for what does not fit (E-61 to E-63), and for values that nest too deeply.
  static func fill(_ object: ObjectBase, value: Any, depth: Int = 0) throws {
    guard depth <= maximumDepth else { throw tooDeep(object.model) }
    try fill(object, SuppliedValues(value, object.model)) { value, type in
      // An embedded object has one owner: the new one gets a copy.
      if let object = ValueConverter.object(value), !type.isEmbedded() || !object.isManaged { return object }
      return try unmanaged(type, value: value, depth: depth + 1)
    }
  }

  /// An unmanaged object from a value; nil when it cannot be one.
  static func unmanaged(_ type: ObjectBase.Type, value: Any, depth: Int = 0) throws -> ObjectBase? {
    guard SuppliedValues.isPossible(value) else { return nil }
    let object = DeclaredDefaults.deferred { type.init() }
    try fill(object, value: value, depth: depth)
    object.evaluateDefaults()
    return object
  }

  /// Fills an unmanaged object; `link` gives the objects that nested values mean. With `input` the object is about to be added,
  /// and has nothing of the input's own objects.
  static func fill(
    _ object: ObjectBase, _ supplied: SuppliedValues, _ input: CreationInput? = nil,
    link: (Any, ObjectBase.Type) throws -> ObjectBase?
  ) throws {
    let model = object.model
    for property in model.properties {
      guard let given = try supplied.value(property) else { continue }
      var value = given
      if property.kind != .none { try verifyContents(value) }
      if let type = property.objectClass, !ValueConverter.isNil(value) {
        if property.kind == .none {
          value = try link(value, type) ?? value
        } else if property.kind == .map {
          value = try linkedMap(value) { ValueConverter.isNil($0) ? $0 : try link($0, type) ?? $0 }
        } else if let elements = ValueConverter.sequence(value) {
          value = try elements.map { try link($0, type) ?? $0 }
        }
      }
      if property.type == .any, let input { value = try input.copied(value) }
      if property.accessor.set(value, object.address) { continue }
      guard !property.isPrimaryKey, property.accessor.takesUnknown(value) else {
        throw Realm.Error.doesNotFit(given, property, model)
      }
      if let input {
        input.keep(value, for: property, of: object)
      } else if !property.accessor.setAsRead(value, object.address) {
        throw Realm.Error.doesNotFit(given, property, model)
      }
    }
  }

  /// The object that a property's value is, or the elements of its contents.
  static func contents(_ value: Any, _ property: ModelProperty) -> [Any] {
    switch property.kind {
    case .none: [value]
    case .list, .set: ValueConverter.sequence(value) ?? []
    case .map: ValueConverter.entries(value)?.map(\.value) ?? []
    }
  }

  /// Throws where a custom type that is stored as an object has no value for one of the objects that elements mean (F-121).
  static func verifyTaken(_ elements: [Any], _ property: ModelProperty, _ model: ModelClass) throws {
    guard property.accessor.mayRefuse, let type = property.objectClass else { return }
    for element in elements {
      guard SuppliedValues.isPossible(element) else { continue }
      guard let made = try ValueConverter.object(element) ?? unmanaged(type, value: element) else { continue }
      let contents: Any = property.kind == .none ? made : property.kind == .map ? ["value": made] : [made]
      if let refused = property.accessor.refused(contents) {
        throw Realm.Error.refused(element, refused.type, property, model)
      }
    }
  }

  /// The contents of a map of objects with what its values mean.
  private static func linkedMap(_ value: Any, _ link: (Any) throws -> Any) rethrows -> Any {
    if let values = value as? [String: Any] { return try values.mapValues(link) }
    guard let map = value as? any KeyedContents else { return value }
    return try map.copy(link) ?? map.boxedPairs().mapValues(link)
  }
}

extension ObjectBase {
  /// Fills an unmanaged object from a value; throws for what does not fit (E-61 to E-63), and for values that nest too deeply.
  final func fill(from value: Any) throws { try ObjectBuilder.fill(self, value: value) }

  /// An unmanaged object from a value; nil when it cannot be one, misuse when something in it does not fit.
  static func unmanaged(from value: Any) -> ObjectBase? { orMisuse { try ObjectBuilder.unmanaged(self, value: value) } }
}
