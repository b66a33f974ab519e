import LarderStorage

/// Looks through a value that is to be stored in a property of any type, before anything is changed.
struct AnyContents {
  /// The objects that it links to, at any depth.
  private(set) var objects: [Object] = []
  private let property: ModelProperty
  private let model: ModelClass

  init(_ property: ModelProperty, _ model: ModelClass) {
    self.property = property
    self.model = model
  }

  /// Adds a value, or the elements of a property that is a collection. Throws for what cannot be stored (E-61), and for
  /// collections nested too deeply (E-64), which those that hold themselves are as well.
  mutating func add(_ value: Any) throws {
    switch property.kind {
    case .none: try add(value, 0)
    case .list, .set, .map: try elements(of: value).forEach { try add($0, 1) }
    }
  }

  private func elements(of value: Any) throws -> [Any] {
    if ValueConverter.isNil(value) { return [] }
    let found = property.kind == .map ? ValueConverter.entries(value)?.map(\.value) : nil
    guard let elements = found ?? ValueConverter.sequence(value) else {
      throw Realm.Error.doesNotFit(value, property, model)
    }
    return elements
  }

  private mutating func add(_ value: Any, _ depth: Int) throws {
    // Converted by one level at a time: what is too deep must not be walked to its end.
    guard depth <= StoreLayout.maximumNesting else {
      throw Realm.Error.invalid(
        "The value of \(model.name).\(property.name) nests deeper than \(StoreLayout.maximumNesting) levels.",
        className: model.name, propertyName: property.name)
    }
    if let object = ValueConverter.object(value) {
      guard let object = object as? Object else { throw Realm.Error.doesNotFit(value, property, model) }
      return objects.append(object)
    }
    switch value {
    case let value as AnyRealmValue:
      switch value {
      case .object(let object): objects.append(object)
      case .list(let list): try add(list, depth)
      case .dictionary(let map):
        try verifyContents(map)
        for element in map.values { try add(element, depth + 1) }
      default: break
      }
    case let entries as [String: Any]: for element in entries.values { try add(element, depth + 1) }
    case let elements as [Any]: for element in elements { try add(element, depth + 1) }
    case let list as List<AnyRealmValue>:
      try verifyContents(list)
      for element in list { try add(element, depth + 1) }
    default:
      guard AnyRealmValue._rlmFromObjc(value, insideOptional: true) != nil else {
        throw Realm.Error.doesNotFit(value, property, model)
      }
    }
  }
}
