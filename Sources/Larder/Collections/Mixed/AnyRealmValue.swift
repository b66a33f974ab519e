import Foundation

/// A value of any type that can be stored, or none: the type of properties and elements that hold different things.
///
/// An object is linked to, and becomes nil when that is deleted; an unmanaged one is added with the property's owner. Lists and
/// dictionaries nest up to 100 levels; read from a managed object they are live, and changing them in a write transaction
/// changes the stored value; each change reads and writes the whole value of the property, so its cost grows with that. Assigning
/// copies them. Embedded objects and sets cannot be held.
public enum AnyRealmValue: Hashable {
  /// No value.
  case none
  /// An integer.
  case int(Int)
  /// True or false; no number.
  case bool(Bool)
  /// A number of 32 bits.
  case float(Float)
  /// A number of 64 bits.
  case double(Double)
  /// A text.
  case string(String)
  /// Bytes.
  case data(Data)
  /// A point in time.
  case date(Date)
  /// A link to an object of any class.
  case object(Object)
  /// An ObjectId.
  case objectId(ObjectId)
  /// A decimal number.
  case decimal128(Decimal128)
  /// A UUID.
  case uuid(UUID)
  /// Values by text: a part of this value.
  case dictionary(Map<String, AnyRealmValue>)
  /// Values in order: a part of this value.
  case list(List<AnyRealmValue>)

  /// None.
  public init() { self = .none }

  /// An unmanaged map with the entries.
  public static func fromDictionary(_ dictionary: [String: AnyRealmValue]) -> AnyRealmValue {
    let map = Map<String, AnyRealmValue>()
    for (key, value) in dictionary { map[key] = value }
    return .dictionary(map)
  }

  /// An unmanaged list with the elements.
  public static func fromArray(_ array: [AnyRealmValue]) -> AnyRealmValue {
    let list = List<AnyRealmValue>()
    list.append(objectsIn: array)
    return .list(list)
  }
}

// Values by type; nil when the value is of another one. Numbers are not converted into each other.
extension AnyRealmValue {
  /// The integer; nil for a value of another type.
  public var intValue: Int? { if case .int(let value) = self { value } else { nil } }
  /// The Boolean; nil for a value of another type.
  public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }
  /// The number of 32 bits; nil for a value of another type.
  public var floatValue: Float? { if case .float(let value) = self { value } else { nil } }
  /// The number of 64 bits; nil for a value of another type.
  public var doubleValue: Double? { if case .double(let value) = self { value } else { nil } }
  /// The text; nil for a value of another type.
  public var stringValue: String? { if case .string(let value) = self { value } else { nil } }
  /// The data; nil for a value of another type.
  public var dataValue: Data? { if case .data(let value) = self { value } else { nil } }
  /// The date; nil for a value of another type.
  public var dateValue: Date? { if case .date(let value) = self { value } else { nil } }
  /// The ObjectId; nil for a value of another type.
  public var objectIdValue: ObjectId? { if case .objectId(let value) = self { value } else { nil } }
  /// The decimal number; nil for a value of another type.
  public var decimal128Value: Decimal128? { if case .decimal128(let value) = self { value } else { nil } }
  /// The UUID; nil for a value of another type.
  public var uuidValue: UUID? { if case .uuid(let value) = self { value } else { nil } }
  /// The dictionary; nil for a value of another type.
  public var dictionaryValue: Map<String, AnyRealmValue>? {
    if case .dictionary(let value) = self { value } else { nil }
  }
  /// The list; nil for a value of another type.
  public var listValue: List<AnyRealmValue>? { if case .list(let value) = self { value } else { nil } }

  /// The linked object, when it is one of the class.
  public func object<T>(_ objectType: T.Type) -> T? where T: Object {
    if case .object(let value) = self { value as? T } else { nil }
  }

  /// The linked object without its Swift class; nil for unmanaged objects. The way to objects of classes that the program does
  /// not declare.
  public var dynamicObject: DynamicObject? {
    guard case .object(let value) = self else { return nil }
    if let value = value as? DynamicObject { return value }
    guard let host = value.host, !value.isInvalidated else { return nil }
    return host.dynamicCursor(value.model.name).object(value._objectKey) as? DynamicObject
  }
}

extension AnyRealmValue {
  /// Returns true if both are of one type and equal: numbers of different types never are, lists and dictionaries by their contents, objects as
  /// `Object` compares them, and within lists and dictionaries by their place in the store.
  public static func == (a: AnyRealmValue, b: AnyRealmValue) -> Bool {
    switch (a, b) {
    case (.none, .none): true
    case (.int(let a), .int(let b)): a == b
    case (.bool(let a), .bool(let b)): a == b
    case (.float(let a), .float(let b)): a == b
    case (.double(let a), .double(let b)): a == b
    case (.string(let a), .string(let b)): a == b
    case (.data(let a), .data(let b)): a == b
    case (.date(let a), .date(let b)): a == b
    case (.object(let a), .object(let b)): a.isEqual(b)
    case (.objectId(let a), .objectId(let b)): a.isEqual(b)
    case (.decimal128(let a), .decimal128(let b)): a == b
    case (.uuid(let a), .uuid(let b)): a == b
    case (.list(let a), .list(let b)): a === b || a.elementsEqual(b, by: isSameContent)
    case (.dictionary(let a), .dictionary(let b)): a === b || equal(a, b)
    default: false
    }
  }

  private static func equal(_ a: Map<String, AnyRealmValue>, _ b: Map<String, AnyRealmValue>) -> Bool {
    a.count == b.count
      && a.asKeyValueSequence().elementsEqual(b.asKeyValueSequence()) {
        MapKeyText($0.key) == MapKeyText($1.key) && isSameContent($0.value, $1.value)
      }
  }

  /// Each reading of a collection makes accessors of its objects: two that show one object are the same content (F-11).
  private static func isSameContent(_ a: AnyRealmValue, _ b: AnyRealmValue) -> Bool {
    if case .object(let a) = a, case .object(let b) = b { return a.isEqual(b) || a.isSameRow(as: b) }
    return a == b
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .none: hasher.combine(0)
    case .int(let value): hasher.combine(value)
    case .bool(let value): hasher.combine(value)
    case .float(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value)
    case .string(let value): hasher.combine(value)
    case .data(let value): hasher.combine(value)
    case .date(let value): hasher.combine(value)
    case .object(let value): hasher.combine(value.hash)
    case .objectId(let value): hasher.combine(value.hash)
    case .decimal128(let value): hasher.combine(value.hash)
    case .uuid(let value): hasher.combine(value)
    // Contents may change while a value is in a set; their number at least distinguishes most.
    case .dictionary(let value): hasher.combine(value.count)
    case .list(let value): hasher.combine(value.count)
    }
  }
}

extension AnyRealmValue: RealmPropertyType {}
