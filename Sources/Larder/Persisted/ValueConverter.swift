import Foundation
import LarderStorage

/// Turns values of any kind into the store's form, as dynamic access and `create(value:)` allow (O-30).
enum ValueConverter {
  /// Returns true if a value means null: `NSNull`, or an empty optional inside of `Any`.
  static func isNil(_ value: Any) -> Bool {
    // Only objects are cast to a class: Foundation answers for an array or a dictionary by making objects of it and of
    // everything in it, which costs as much as it holds, for each level of it again, and recurses as deep as it nests.
    if isPlain(value) { return false }
    if type(of: value) is AnyObject.Type { return value is NSNull }
    guard let optional = value as? any AnyOptional else { return false }
    return optional.unwrapped.map { isNil($0) } ?? true
  }

  /// The object that a value is; nil for any other value. See `isNil`.
  static func object(_ value: Any) -> ObjectBase? {
    if isPlain(value) { return nil }
    if type(of: value) is AnyObject.Type { return value as? ObjectBase }
    return (value as? any AnyOptional)?.unwrapped.flatMap { object($0) }
  }

  /// The object that a value of a custom type is stored as; nil for any other value.
  static func customObject(_ value: Any) -> ObjectBase? {
    (value as? any _CustomPersistable).flatMap { $0._rlmObjcValue as? ObjectBase }
  }

  /// The collection that a value is; nil for any other value. See `isNil`.
  static func collection(_ value: Any) -> (any ManagedCollection)? {
    if type(of: value) is AnyObject.Type { return value as? any ManagedCollection }
    return (value as? any AnyOptional)?.unwrapped.flatMap { collection($0) }
  }

  /// The value, if it is of the type. See `isNil`.
  static func cast<T: _ObjcBridgeable>(_ value: Any) -> T? {
    T._rlmHoldsObject && isContainer(value) ? nil : value as? T
  }

  /// Returns true if a value is an array, a dictionary or a set of Swift's, which fits no property of one value but data.
  static func isContainer(_ value: Any) -> Bool { value is any SwiftContainer }

  /// Returns true if a value is of one of the types that are met most, none of which is an object or an optional: told by the type alone, since
  /// asking whether a type conforms to a protocol costs more than storing the value.
  @inline(__always)
  private static func isPlain(_ value: Any) -> Bool {
    let type = type(of: value)
    return type == Int.self || type == String.self || type == Double.self || type == [String: Any].self
      || type == Bool.self || type == Date.self || type == UUID.self
  }

  /// A value of the very type that a property's is.
  @inline(__always)
  private static func exact(_ value: Any, _ type: PropertyType) -> StoredValue? {
    let given = Swift.type(of: value)
    switch type {
    case .int where given == Int.self: return (value as? Int).map { .int(Int64($0)) }
    case .string where given == String.self: return (value as? String).map { .string($0) }
    case .double where given == Double.self: return (value as? Double).map { .double($0) }
    case .bool where given == Bool.self: return (value as? Bool).map { .bool($0) }
    case .date where given == Date.self: return (value as? Date).map { .date(Timestamp($0)) }
    case .UUID where given == UUID.self: return (value as? UUID).map { .uuid($0) }
    case .objectId where given == ObjectId.self: return (value as? ObjectId).map { .objectId($0.bytes) }
    default: return nil
    }
  }

  /// A number, text, date and so on as a value of a property's type; nil when it does not fit.
  static func stored(_ value: Any, as type: PropertyType) -> StoredValue? {
    if let value = exact(value, type) { return value }
    if isNil(value) { return .null }
    if let value = (value as? any AnyOptional)?.unwrapped { return stored(value, as: type) }
    if type == .data || !isContainer(value), let value = converted(value, to: type) { return value }
    return (value as? any _CustomPersistable).flatMap { stored($0._rlmObjcValue, as: type) }
  }

  private static func converted(_ value: Any, to type: PropertyType) -> StoredValue? {
    switch type {
    case .int: return integer(value).map { .int($0) } ?? raw(value, type)
    case .bool: return bool(value).map { .bool($0) }
    case .float: return double(value).map { .float(Float($0)) } ?? raw(value, type)
    case .double: return double(value).map { .double($0) } ?? raw(value, type)
    case .string: return (value as? String).map { .string($0) } ?? raw(value, type)
    case .data: return (value as? Data).map { .data($0) } ?? (value as? [UInt8]).map { .data(Data($0)) }
    case .date: return (value as? Date).map { .date(Timestamp($0)) } ?? (value as? Timestamp).map { .date($0) }
    case .UUID: return ((value as? UUID) ?? (value as? String).flatMap(UUID.init(uuidString:))).map { .uuid($0) }
    case .objectId: return objectId(value).map { .objectId($0) }
    case .decimal128: return Decimal128.number(from: value).map { .decimal128($0.bits) }
    case .object, .linkingObjects, .any: return nil
    }
  }

  private static func raw(_ value: Any, _ type: PropertyType) -> StoredValue? {
    guard let value = value as? any RawRepresentable else { return nil }
    return stored(value.rawValue, as: type)
  }

  private static func objectId(_ value: Any) -> ObjectIdBytes? {
    if let value = value as? ObjectId { return value.bytes }
    return (value as? String).flatMap { ObjectId.bytes(hexadecimal: $0) }
  }

  private static func integer(_ value: Any) -> Int64? {
    switch value {
    case let value as Int: Int64(value)
    case let value as any BinaryInteger: Int64(exactly: value)
    case let value as any BinaryFloatingPoint: Int64(exactly: Double(value))
    case let value as Bool: value ? 1 : 0
    case let value as NSNumber: Int64(exactly: value.doubleValue) == nil ? nil : value.int64Value
    default: nil
    }
  }

  private static func bool(_ value: Any) -> Bool? {
    if let value = value as? Bool { return value }
    guard let number = integer(value), number == 0 || number == 1 else { return nil }
    return number == 1
  }

  /// Returns true if a value is true or false; Foundation has one number each for the two.
  private static func isBool(_ value: Any) -> Bool {
    guard type(of: value) is NSNumber.Type, let number = value as? NSNumber else { return value is Bool }
    return number === NSNumber(value: true) || number === NSNumber(value: false)
  }

  private static func double(_ value: Any) -> Double? {
    if isBool(value) { return nil }
    return switch value {
    case let value as Double: value
    case let value as Float: Double(value)
    case let value as any BinaryInteger: Double(value)
    case let value as Decimal128: value.doubleValue
    case let value as NSNumber: value.doubleValue
    default: nil
    }
  }

  /// A number in the form of dynamic access: Foundation's, which casts to every type of number that it fits in. Other values as
  /// they are.
  static func bridged(_ value: Any) -> Any {
    switch value {
    case let value as Int: NSNumber(value: value)
    case let value as Bool: NSNumber(value: value)
    case let value as Double: NSNumber(value: value)
    // Foundation has one infinity and one NaN, of 64 bits: in a property of any type it would become another value.
    case let value as Float: value.isFinite ? NSNumber(value: value) : value
    case let value as Int64: NSNumber(value: value)
    case let value as Int32: NSNumber(value: value)
    case let value as Int16: NSNumber(value: value)
    case let value as Int8: NSNumber(value: value)
    default: value
    }
  }

  /// The entries of anything that can be a map's contents; nil when it is none. Keys are distinguished by their bytes.
  static func entries(_ value: Any) -> [(key: MapKeyText, value: Any)]? {
    if let value = value as? any KeyedContents { return value.boxedEntries() }
    return (value as? [String: Any])?.map { (MapKeyText($0.key), $0.value) }
  }

  /// The values of anything that can be a collection's contents; nil when it is no sequence.
  static func sequence(_ value: Any) -> [Any]? {
    if let value = value as? [Any] { return value }
    if let value = collection(value) { return value.boxedElements() }
    if value is String || value is Data || value is any AnyDictionary { return nil }
    return (value as? any Sequence).map { erased($0) }
  }

  private static func erased(_ sequence: some Sequence) -> [Any] { sequence.map { $0 as Any } }

  /// Message for a value that a custom type has none for.
  static func refusal(
    _ value: Any, _ type: Any.Type, _ property: ModelProperty, in model: ModelClass
  ) -> String {
    "'\(misuseText(value))' (type \(misuseType(value))) does not fit \(model.name).\(property.name): \(type) has no value "
      + "for it."
  }

  /// Message for a value that does not fit.
  static func mismatch(_ value: Any, _ property: ModelProperty, in model: ModelClass) -> String {
    if isNil(value) { return "\(model.name).\(property.name) is required; it cannot be nil." }
    let name = "\(model.name).\(property.name)"
    if let (type, value) = property.accessor.refused(value) { return refusal(value, type, property, in: model) }
    let wanted = property.kind == .none ? "\(property.type)" : "a collection of \(property.type)"
    return "'\(misuseText(value))' (type \(misuseType(value))) does not fit \(name) "
      + "(type \(wanted)\(property.objectClassName.map { " \($0)" } ?? ""))."
  }
}

/// A container of values that is no object.
private protocol SwiftContainer {}

/// A dictionary, whose entries are no elements.
private protocol AnyDictionary {}

extension Array: SwiftContainer {}
extension Dictionary: SwiftContainer, AnyDictionary {}
extension Set: SwiftContainer {}

/// An optional of any type.
protocol AnyOptional {
  var isNone: Bool { get }
  var unwrapped: Any? { get }
}

extension Optional: AnyOptional {
  var isNone: Bool { self == nil }
  var unwrapped: Any? { self }
}

extension Decimal128 {
  /// A number from another number, its text or a `Decimal128`; NaN from null, nil for anything else.
  static func numberOrNaN(from value: Any) -> DecimalNumber? {
    ValueConverter.isNil(value) ? .nan : number(from: value)
  }
}
