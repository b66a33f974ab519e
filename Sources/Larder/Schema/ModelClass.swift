import LarderStorage
import Synchronization

/// One stored property of a model class.
struct ModelProperty {
  var index: Int
  var name: String
  var columnName: String
  var type: PropertyType
  var kind: CollectionKind
  var isOptional: Bool
  var isPrimaryKey: Bool
  var isIndexed: Bool
  var objectClass: ObjectBase.Type?
  var accessor: _PropertyAccessor
  /// For an inverse property: the property of `objectClass` whose links it follows back.
  var originName: String?
  /// The linked class where it is known from the store instead of from a Swift class.
  var storedTarget: StoredTarget?

  struct StoredTarget {
    var name: String
    var isEmbedded: Bool
  }

  var isObject: Bool { type == .object }
  var isEmbedded: Bool { storedTarget?.isEmbedded ?? objectClass?.isEmbedded() ?? false }
  /// Name of the linked class.
  var objectClassName: String? { storedTarget?.name ?? objectClass?.className() }
}

/// What is known of a model class, found once per class and process from one prototype instance.
final class ModelClass: @unchecked Sendable {
  // Unchecked: immutable, and accessors are only changed while it is made.
  let type: ObjectBase.Type
  let name: String
  let isEmbedded: Bool
  /// The stored properties.
  let properties: [ModelProperty]
  /// Properties of type `LinkingObjects`, which store nothing; numbered after the stored ones.
  let inverses: [ModelProperty]
  let primaryKey: ModelProperty?
  private let indexByName: [String: Int]
  /// Whether its objects are `DynamicObject`s, which have no wrappers.
  let isDynamic: Bool
  /// Byte offsets of all wrappers, by property number.
  let offsets: [Int]
  /// Accessors of everything but the primary key, which is written when the row is made.
  let addOrder: [Unmanaged<_PropertyAccessor>]
  /// The accessor of a required `Int` primary key.
  let integerKey: IntAccessor?
  let primaryKeyAccessor: _PropertyAccessor?
  /// How accessors are made without running initialisers; nil where that is not possible.
  let template: ObjectTemplate?

  init(
    _ type: ObjectBase.Type, _ name: String, _ properties: [ModelProperty], _ inverses: [ModelProperty],
    _ template: ObjectTemplate?, isEmbedded: Bool
  ) {
    self.template = template
    self.type = type
    self.name = name
    self.isEmbedded = isEmbedded
    self.properties = properties
    self.primaryKey = properties.first(where: \.isPrimaryKey)
    self.inverses = inverses
    self.isDynamic = type == DynamicObject.self
    self.offsets = isDynamic ? [] : (properties + inverses).map(\.accessor.offset)
    self.addOrder = (properties + inverses).filter { !$0.isPrimaryKey }.map { Unmanaged.passUnretained($0.accessor) }
    self.integerKey = properties.first(where: \.isPrimaryKey)?.accessor as? IntAccessor
    self.primaryKeyAccessor = properties.first(where: \.isPrimaryKey)?.accessor
    var names: [String: Int] = [:]
    for property in properties {
      names[property.columnName] = property.index
    }
    for property in properties { names[property.name] = property.index }
    self.indexByName = names
  }

  func property(named name: String) -> ModelProperty? { indexByName[name].map { properties[$0] } }

  /// A property by its number, stored or not.
  func property(_ index: Int) -> ModelProperty {
    index < properties.count ? properties[index] : inverses[index - properties.count]
  }

  func inverse(named name: String) -> ModelProperty? { inverses.first { $0.name == name } }

  func unknownProperty(_ name: String) -> String {
    let known = properties.map(\.name).joined(separator: ", ")
    return "\(self.name) has no property '\(misuseText(name))'. Its properties are: \(known)."
  }

  var declaration: ClassDeclaration {
    ClassDeclaration(name: name, isEmbedded: isEmbedded, columns: properties.map(\.declaration))
  }

  // MARK: - Finding

  private static let known = Mutex<[ObjectIdentifier: ModelClass]>([:])

  /// The model of a class; misuse when the class is not a valid model.
  static func of(_ type: ObjectBase.Type) -> ModelClass {
    if let found = known.withLock({ $0[ObjectIdentifier(type)] }) { return found }
    let made = make(type)
    return known.withLock { known in
      if let found = known[ObjectIdentifier(type)] { return found }
      known[ObjectIdentifier(type)] = made
      return made
    }
  }

  private static func make(_ type: ObjectBase.Type) -> ModelClass {
    let name = type.className()
    let prototype = type.init()
    let fields = StoredField.fields(of: type)
    let mapping = type.propertiesMapping()
    var properties: [ModelProperty] = []
    var inverses: [ModelProperty] = []
    for field in fields {
      guard let wrapper = field.type as? any AnyPersisted.Type else { continue }
      let accessor = wrapper.makeAccessor()
      accessor.offset = field.offset
      let flags = accessor.flags(prototype.address)
      let value = wrapper.valueType
      let property = ModelProperty(
        index: 0, name: field.name, columnName: mapping[field.name] ?? field.name, type: value._rlmType,
        kind: value._rlmCollection, isOptional: value._rlmOptional, isPrimaryKey: flags & PersistedFlag.primaryKey != 0,
        isIndexed: flags & PersistedFlag.indexed != 0, objectClass: value._rlmObjectClass, accessor: accessor,
        originName: accessor.originName(prototype.address))
      ModelRules.check(property, of: name)
      if property.type == .linkingObjects { inverses.append(property) } else { properties.append(property) }
    }
    for index in properties.indices { properties[index].number(index) }
    for index in inverses.indices { inverses[index].number(properties.count + index) }
    ModelRules.check(properties, of: name, isEmbedded: type.isEmbedded())
    return ModelClass(
      type, name, properties, inverses, ObjectTemplate(prototype, fields, properties + inverses),
      isEmbedded: type.isEmbedded())
  }
}

extension ModelProperty {
  fileprivate mutating func number(_ index: Int) {
    self.index = index
    accessor.index = index
  }

  var declaration: ColumnDeclaration {
    ColumnDeclaration(
      name: columnName, type: type.columnType, collection: kind,
      isOptional: kind == .none && isObject ? true : isOptional,
      target: objectClass?.className(), isPrimaryKey: isPrimaryKey, isIndexed: isIndexed)
  }
}

/// Checks of one class, made when it is first read (M-10 to M-17, M-23): before any file is touched.
enum ModelRules {
  static func check(_ property: ModelProperty, of name: String) {
    func fail(_ problem: String, _ fix: String) -> Never {
      misuse("Class \(name), property \(property.name): \(problem). \(fix).")
    }
    if property.isObject, property.kind == .none, !property.isOptional {
      fail("a link must be optional", "Declare it as \(property.objectClass?.className() ?? "its class")?")
    }
    if property.isObject, property.kind == .list, property.isOptional {
      fail("a list of objects cannot hold nil", "Remove the question mark of its elements")
    }
    if property.type == .linkingObjects, property.originName?.isEmpty ?? true {
      fail("it does not say which links it follows", "Declare it with @Persisted(originProperty: \"…\")")
    }
    if property.isPrimaryKey, ![.int, .string, .objectId, .UUID].contains(property.type) {
      fail("a primary key must be an integer, String, ObjectId or UUID", "Choose one of these types")
    }
    if property.isIndexed, ![.int, .bool, .string, .date, .objectId, .UUID].contains(property.type) {
      fail("its type cannot be indexed", "Remove 'indexed: true'")
    }
    if property.columnName.utf8.count > 63 { fail("the name is longer than 63 bytes", "Choose a shorter one") }
  }

  static func check(_ properties: [ModelProperty], of name: String, isEmbedded: Bool) {
    if properties.isEmpty {
      misuse("Class \(name) has no stored property. Mark its properties with @Persisted.")
    }
    if name.utf8.count > 57 { misuse("Class \(name): the name is longer than 57 bytes. Choose a shorter one.") }
    var seen: Set<String> = []
    for property in properties where !seen.insert(property.name).inserted {
      misuse("Class \(name), property \(property.name): declared in the class and its superclass. Rename one.")
    }
    let keys = properties.filter(\.isPrimaryKey)
    if keys.count > 1 {
      misuse("Class \(name) has \(keys.count) primary keys: \(keys.map(\.name).joined(separator: ", ")). Keep one.")
    }
    if isEmbedded, let key = keys.first {
      misuse("Class \(name), property \(key.name): an embedded class cannot have a primary key. Remove it.")
    }
  }
}

extension PropertyType {
  var columnType: ColumnType {
    switch self {
    case .int: .int
    case .bool: .bool
    case .string: .string
    case .data: .data
    case .date: .date
    case .float: .float
    case .double: .double
    case .object, .linkingObjects: .link
    case .any: .mixed
    case .objectId: .objectId
    case .decimal128: .decimal128
    case .UUID: .uuid
    }
  }

  init(_ type: ColumnType) {
    self =
      switch type {
      case .bool: .bool
      case .int: .int
      case .float: .float
      case .double: .double
      case .string: .string
      case .data: .data
      case .date: .date
      case .uuid: .UUID
      case .objectId: .objectId
      case .decimal128: .decimal128
      case .link: .object
      case .mixed: .any
      }
  }
}
