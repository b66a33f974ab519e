/// The type of a value in a schema.
public enum SchemaType: UInt8, Hashable, Sendable, CaseIterable {
  /// A boolean.
  case bool = 0
  /// An integer.
  case int = 1
  /// A number of single precision.
  case float = 2
  /// A number of double precision.
  case double = 3
  /// A decimal number.
  case decimal = 4
  /// A text.
  case string = 5
  /// Bytes.
  case data = 6
  /// A moment.
  case date = 7
  /// An ObjectId.
  case objectID = 8
  /// A UUID.
  case uuid = 9
  /// A link to an object.
  case link = 10
  /// An embedded object.
  case embedded = 11
  /// A value of any type.
  case mixed = 12
}

/// The form of a property's content: a value, or a collection of values.
public enum SchemaCollection: UInt8, Hashable, Sendable, CaseIterable {
  /// A value.
  case none = 0
  /// A list.
  case list = 1
  /// A set.
  case set = 2
  /// A map with texts as keys.
  case map = 3
}

/// The rule by which values of a property are merged.
public enum SchemaMerge: UInt8, Hashable, Sendable, CaseIterable {
  /// The newest value is what all devices have.
  case newest = 0
  /// Additions of devices are added up.
  case counter = 1
}

/// A property in a schema.
public struct SchemaProperty: Hashable, Sendable {
  /// The name.
  public let name: SyncText
  /// The type of the value, or of the collection's values.
  public let type: SchemaType
  /// The form of the content: a value, or a collection of values.
  public let collection: SchemaCollection
  /// True if there may be no value.
  public let isOptional: Bool
  /// The class of links and embedded objects.
  public let target: SyncText?
  /// The rule by which values are merged.
  public let merge: SchemaMerge
  /// True if subscriptions and rules may ask for it.
  public let isQueryable: Bool

  /// A property.
  public init(
    _ name: SyncText, _ type: SchemaType, collection: SchemaCollection = .none, isOptional: Bool = false,
    target: SyncText? = nil, merge: SchemaMerge = .newest, isQueryable: Bool = false
  ) {
    self.name = name
    self.type = type
    self.collection = collection
    self.isOptional = isOptional
    self.target = target
    self.merge = merge
    self.isQueryable = isQueryable
  }
}

/// The kind of the objects of a class.
public enum SchemaClassKind: UInt8, Hashable, Sendable, CaseIterable {
  /// Objects of their own.
  case object = 0
  /// Embedded objects.
  case embedded = 1
  /// Objects that devices only send.
  case asymmetric = 2
}

/// A class in a schema.
public struct SchemaClass: Hashable, Sendable {
  /// The name.
  public let name: SyncText
  /// The kind of its objects.
  public let kind: SchemaClassKind
  /// The property that is the primary key; nil for embedded objects.
  public let primaryKey: SyncText?
  /// The properties by name.
  public let properties: [SchemaProperty]

  /// A class; of several properties with one name the last one counts.
  public init(
    _ name: SyncText, kind: SchemaClassKind = .object, primaryKey: SyncText?, properties: [SchemaProperty]
  ) {
    self.name = name
    self.kind = kind
    self.primaryKey = primaryKey
    self.properties = properties.sortedAndUnique(by: \.name)
  }
}

/// Classes, as a device or the server has them.
public struct SyncSchema: Hashable, Sendable {
  /// The number that the server gave it; 0 for one that a device sends.
  public let version: UInt64
  /// The classes by name.
  public let classes: [SchemaClass]

  /// A schema; of several classes with one name the last one counts.
  public init(version: UInt64 = 0, classes: [SchemaClass]) {
    self.version = version
    self.classes = classes.sortedAndUnique(by: \.name)
  }
}
