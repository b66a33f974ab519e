import Foundation
import LarderQuery
import LarderStorage

/// Turns the arguments of a predicate into what the query language knows. Throws for values that cannot be compared.
enum PredicateArguments {
  static func parse(_ text: String, _ arguments: [Any]) throws -> PredicateNode {
    try PredicateCache.parse(text, try arguments.map { try argument($0) })
  }

  /// Arguments of a predicate over a Realm's objects. Throws for a managed object of another Realm.
  static func arguments(_ values: [Any], in host: ObjectHost) throws -> [PredicateArgument] {
    try values.map { try argument($0, in: host) }
  }

  /// An argument of a predicate over a Realm's objects. Throws for a managed object of another Realm.
  static func argument(_ value: Any, in host: ObjectHost) throws -> PredicateArgument {
    let argument = try argument(value)
    try check(argument, in: host)
    return argument
  }

  /// Throws for a predicate that names a managed object of another Realm.
  static func check(_ node: PredicateNode, in host: ObjectHost) throws {
    try node.forEachConstant { try check($0, in: host) }
  }

  /// Throws for a managed object of another Realm.
  static func check(_ argument: PredicateArgument, in host: ObjectHost) throws {
    switch argument {
    case .object(_, let store?) where store != host.store.path:
      throw Realm.Error.invalid(
        "An object of '\(store)' cannot be compared with objects of '\(host.store.path)'. Use an object of this Realm.")
    case .list(let members): for member in members { try check(member, in: host) }
    case .dictionary(let entries): for entry in entries { try check(entry.value, in: host) }
    default: break
    }
  }

  static func argument(_ value: Any) throws -> PredicateArgument { try argument(value, depth: 0) }

  fileprivate static func argument(_ value: Any, depth: Int) throws -> PredicateArgument {
    try checkDepth(depth)
    // Checks of exact types, before the casts that ask for conformances.
    let type = Swift.type(of: value)
    if type == String.self, let text = value as? String { return .value(.string(text)) }
    if type == Int.self, let number = value as? Int { return .value(.int(Int64(number))) }
    // Foundation makes an NSArray of an array that is asked whether it is of some class.
    if let list = value as? any ArgumentList { return .list(try list.predicateArguments(depth: depth + 1)) }
    if ValueConverter.isNil(value) { return .null }
    if let value = (value as? any AnyOptional)?.unwrapped { return try argument(value, depth: depth) }
    if let object = ValueConverter.object(value) { return argument(object) }
    if ValueConverter.isContainer(value), let elements = ValueConverter.sequence(value), !(value is [String: Any]) {
      return .list(try elements.map { try argument($0, depth: depth + 1) })
    }
    if !ValueConverter.isContainer(value), let stored = stored(value) { return .value(stored) }
    if let custom = value as? any _CustomPersistable { return try argument(custom) }
    if let any = value as? AnyRealmValue { return try argument(any) }
    if let shape = value as? any GeoAreaConvertible { return .area(shape.area) }
    if let elements = ValueConverter.sequence(value) {
      return .list(try elements.map { try argument($0, depth: depth + 1) })
    }
    if let range = value as? ClosedRange<Int> {
      return .list([try argument(range.lowerBound), try argument(range.upperBound)])
    }
    if let raw = value as? any RawRepresentable { return try argument(raw.rawValue) }
    throw Realm.Error.invalid(
      "'\(misuseText(value))' (type \(misuseType(value))) cannot be an argument of a predicate.")
  }

  private static func argument(_ object: ObjectBase) -> PredicateArgument {
    guard let cursor = object.cursorReference, !object.isInvalidated else {
      return .detachedObject(className: object.model.name)
    }
    return .object(ObjectLink(classID: cursor.classID, key: object._objectKey), store: object.host?.store.path)
  }

  private static func argument(_ value: AnyRealmValue) throws -> PredicateArgument {
    if case .object(let object) = value { return argument(object) }
    return try value.storedIfUnlinked().map { .value($0) } ?? linking(value, depth: 0)
  }

  /// A list or dictionary with objects in it, which are to be checked against the Realm.
  private static func linking(_ value: AnyRealmValue, depth: Int) throws -> PredicateArgument {
    try checkDepth(depth)
    return switch value {
    case .list(let list): .list(try list.map { try linking($0, depth: depth + 1) })
    case .dictionary(let map):
      .dictionary(
        try map.asKeyValueSequence().map { PredicateArgument.Member($0.key, try linking($0.value, depth: depth + 1)) })
    default: try argument(value)
    }
  }

  private static func checkDepth(_ depth: Int) throws {
    guard depth <= StoreLayout.maximumNesting else {
      throw Realm.Error.invalid("An argument of a predicate nests deeper than \(StoreLayout.maximumNesting) levels.")
    }
  }

  /// A custom type as what it is stored as; one that is stored as an object is compared by its properties.
  private static func argument(_ custom: any _CustomPersistable) throws -> PredicateArgument {
    guard let object = custom._rlmObjcValue as? ObjectBase else { return try argument(custom._rlmObjcValue) }
    let members = try object.model.properties.map { property in
      PredicateArgument.Member(property.name, try argument(object.boxedValue(property)))
    }
    return .members(className: object.model.name, members)
  }

  private static func stored(_ value: Any) -> StoredValue? {
    switch value {
    case let value as String: .string(value)
    case let value as Int: .int(Int64(value))
    case let value as Double: .double(value)
    case let value as Bool: .bool(value)
    case let value as any BinaryInteger: Int64(exactly: value).map { .int($0) }
    case let value as Float: .float(value)
    case let value as Date: .date(Timestamp(value))
    case let value as Data: .data(value)
    case let value as UUID: .uuid(value)
    case let value as ObjectId: .objectId(value.bytes)
    case let value as Decimal128: .decimal128(value.bits)
    case let value as Decimal: Decimal128.number(from: value).map { .decimal128($0.bits) }
    case let value as NSNumber: .double(value.doubleValue)
    default: nil
    }
  }

  /// The argument as the value it was made from, for `_constructPredicate`.
  static func value(_ argument: PredicateArgument) -> Any {
    switch argument {
    case .value(.null): NSNull()
    case .value(.bool(let value)): value
    case .value(.int(let value)): Int(value)
    case .value(.float(let value)): value
    case .value(.double(let value)): value
    case .value(.string(let value)): value
    case .value(.data(let value)): value
    case .value(.date(let value)): value.date
    case .value(.uuid(let value)): value
    case .value(.objectId(let value)): ObjectId(value)
    case .value(.decimal128(let value)): Decimal128(bits: value)
    case .value(let value): value
    case .keyPath(let path): path
    case .list(let members): members.map { Self.value($0) }
    case .dictionary(let entries): Dictionary(entries.map { ($0.name, Self.value($0.value)) }) { $1 }
    case .object(let link, _): link
    case .detachedObject, .members, .area: argument
    }
  }
}

/// An array as an argument of `IN`, whatever its elements are.
private protocol ArgumentList {
  func predicateArguments(depth: Int) throws -> [PredicateArgument]
}

extension Array: ArgumentList {
  fileprivate func predicateArguments(depth: Int) throws -> [PredicateArgument] {
    if Element.self == String.self, let texts = self as? [String] { return texts.map { .value(.string($0)) } }
    return try map { try PredicateArguments.argument($0, depth: depth) }
  }
}
