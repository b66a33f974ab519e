import LarderStorage

/// A value substituted for a placeholder, or a literal.
package enum PredicateArgument: Hashable, Sendable {
  /// A plain value; `.null` is nil. Object links come as `object`.
  case value(StoredValue)
  /// An object of a store; where its path is known, the object is compared with those of that store only.
  case object(ObjectLink, store: String? = nil)
  /// An object that is in no store, or was deleted: equal to nothing.
  case detachedObject(className: String)
  /// For IN and BETWEEN.
  case list([PredicateArgument])
  /// A dictionary for a value of any type, of values by key.
  case dictionary([Member])
  /// For `%K`; a string value serves as well.
  case keyPath(String)
  /// Properties by name, of an object whose contents are compared.
  case members(className: String, [Member])
  /// An area on the globe, for IN and GEOWITHIN.
  case area(GeoArea)

  /// A property of `members`, an entry of `dictionary`.
  package struct Member: Hashable, Sendable {
    package var name: String
    package var value: PredicateArgument

    package init(_ name: String, _ value: PredicateArgument) {
      self.name = name
      self.value = value
    }
  }

  package static let null = PredicateArgument.value(.null)

  /// The name that messages give the kind of value.
  package var kind: String {
    switch self {
    case .value(.null): "nil"
    case .value(let value): value.kindName
    case .object, .detachedObject: "an object"
    case .list: "a list"
    case .dictionary: "a dictionary"
    case .keyPath: "a key path"
    case .members: "an object"
    case .area: "an area"
    }
  }
}

extension StoredValue {
  /// The name that messages give the type of value.
  package var kindName: String {
    switch self {
    case .null: "nil"
    case .bool: "Bool"
    case .int: "Int"
    case .float: "Float"
    case .double: "Double"
    case .string: "String"
    case .data: "Data"
    case .date: "Date"
    case .uuid: "UUID"
    case .objectId: "ObjectId"
    case .decimal128: "Decimal128"
    case .link, .object: "an object"
    case .list: "a list"
    case .dictionary: "a dictionary"
    }
  }
}

extension ColumnType {
  /// The name that messages give the type.
  package var displayName: String {
    switch self {
    case .bool: "Bool"
    case .int: "Int"
    case .float: "Float"
    case .double: "Double"
    case .string: "String"
    case .data: "Data"
    case .date: "Date"
    case .uuid: "UUID"
    case .objectId: "ObjectId"
    case .decimal128: "Decimal128"
    case .link: "object"
    case .mixed: "AnyRealmValue"
    }
  }
}
