import Foundation
import LarderLocks
import LarderStorage

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
  /// Accessors of everything but the primary key, which is written when the row is made. No array: walking one would count
  /// references for each object that is added.
  let addOrder: UnsafeMutableBufferPointer<Unmanaged<_PropertyAccessor>>
  /// How many of `addOrder`, from the first, are of stored properties; the others are of inverses.
  let storedCount: Int
  /// The accessor of a required `Int` primary key.
  let integerKey: Unmanaged<IntAccessor>?
  /// Number of the primary key and byte offset of its wrapper.
  let primaryKeyPlace: (index: Int32, offset: Int)?
  /// What is wrong with the declaration; a class with problems is in no Realm.
  let problems: [SchemaProblem]
  /// How accessors are made without running initialisers; nil where that is not possible.
  let template: ObjectTemplate?

  init(
    _ type: ObjectBase.Type, _ name: String, _ properties: [ModelProperty], _ inverses: [ModelProperty],
    _ template: ObjectTemplate?, isEmbedded: Bool, problems: [SchemaProblem] = []
  ) {
    self.problems = problems
    self.template = template
    self.type = type
    self.name = name
    self.isEmbedded = isEmbedded
    self.properties = properties
    self.primaryKey = properties.first(where: \.isPrimaryKey)
    self.inverses = inverses
    self.isDynamic = type == DynamicObject.self
    self.offsets = isDynamic ? [] : (properties + inverses).map(\.accessor.offset)
    let added = (properties + inverses).filter { !$0.isPrimaryKey }.map { Unmanaged.passUnretained($0.accessor) }
    self.storedCount = added.count - inverses.count
    self.addOrder = .allocate(capacity: added.count)
    _ = self.addOrder.initialize(from: added)
    let primaryKey = properties.first(where: \.isPrimaryKey)
    self.integerKey = (primaryKey?.accessor as? IntAccessor).map { Unmanaged.passUnretained($0) }
    self.primaryKeyPlace = primaryKey.map { (Int32($0.index), $0.accessor.offset) }
    var names: [String: Int] = [:]
    for property in properties {
      names[property.columnName] = property.index
    }
    for property in properties { names[property.name] = property.index }
    self.indexByName = names
  }

  deinit { addOrder.deallocate() }

  func property(named name: String) -> ModelProperty? { indexByName[name].map { properties[$0] } }

  /// A property by its number, stored or not.
  func property(_ index: Int) -> ModelProperty {
    index < properties.count ? properties[index] : inverses[index - properties.count]
  }

  func inverse(named name: String) -> ModelProperty? { inverses.first { $0.name == name } }

  /// Whether a property is stored or an inverse under the name.
  func declares(_ name: String) -> Bool { indexByName[name] != nil || inverse(named: name) != nil }

  /// A property with its class, for messages.
  func propertyName(_ index: Int) -> String { "\(name).\(properties[index].name)" }

  func unknownProperty(_ name: String) -> String {
    let known = properties.map(\.name).joined(separator: ", ")
    return "\(self.name) has no property '\(misuseText(name))'. Its properties are: \(known)."
  }

  var declaration: ClassDeclaration {
    ClassDeclaration(
      name: name, isEmbedded: isEmbedded, columns: properties.map(\.declaration), indexes: declaredIndexes.map(\.index))
  }

  // MARK: - Finding

  private static let known = Lock<[ObjectIdentifier: ModelClass]>([:])

  /// A class whose prototype is being made on a thread.
  private struct Making: Hashable {
    let type: ObjectIdentifier
    let thread = ObjectIdentifier(Thread.current)
  }

  private static let making = Lock<Set<Making>>([])

  /// The model of a class, with whatever is wrong with its declaration; misuse from a default value of the class (M-3).
  static func of(_ type: ObjectBase.Type) -> ModelClass {
    if let found = known.withLock({ $0[ObjectIdentifier(type)] }) { return found }
    let isFirst = making.withLock { $0.insert(Making(type: ObjectIdentifier(type))).inserted }
    guard isFirst else {
      misuse(
        "The default values of '\(type.className())' are recursive: they open a Realm or query one, which needs the class's default "
          + "values. Set such values in a convenience initialiser.")
    }
    defer { making.withLock { _ = $0.remove(Making(type: ObjectIdentifier(type))) } }
    let made = make(type)
    return known.withLock { known in
      if let found = known[ObjectIdentifier(type)] { return found }
      known[ObjectIdentifier(type)] = made
      return made
    }
  }

  /// The model of a class; nil while this thread is just making it.
  static func unlessMaking(_ type: ObjectBase.Type) -> ModelClass? {
    if let found = known.withLock({ $0[ObjectIdentifier(type)] }) { return found }
    return making.withLock { $0.contains(Making(type: ObjectIdentifier(type))) } ? nil : of(type)
  }

  private static func make(_ type: ObjectBase.Type) -> ModelClass {
    let name = type.className()
    let (prototype, expressions) = DeclaredDefaults.recorded { type.init() }
    let fields = StoredField.fields(of: type)
    let mapping = type.propertiesMapping()
    let named = NamedDeclarations(type)
    var properties: [ModelProperty] = []
    var inverses: [ModelProperty] = []
    for field in fields {
      guard let wrapper = field.type as? any AnyPersisted.Type else { continue }
      let accessor = wrapper.makeAccessor()
      accessor.offset = field.offset
      accessor.takeExpression(expressions, prototype.address)
      let flags = accessor.flags(prototype.address)
      let value = wrapper.valueType
      let property = ModelProperty(
        index: 0, name: field.name, columnName: mapping[field.name] ?? field.name, type: value._rlmType,
        kind: value._rlmCollection, isOptional: value._rlmOptional,
        isPrimaryKey: flags & PersistedFlag.primaryKey != 0 || named.isPrimaryKey(field.name),
        isIndexed: flags & PersistedFlag.indexed != 0 || named.isIndexed(field.name),
        isFullText: flags & PersistedFlag.fullText != 0,
        objectClass: value._rlmObjectClass, accessor: accessor,
        isCustom: value._rlmIsCustom, originName: accessor.originName(prototype.address))
      if property.type == .linkingObjects { inverses.append(property) } else { properties.append(property) }
    }
    for index in properties.indices { properties[index].number(index) }
    for index in inverses.indices { inverses[index].number(properties.count + index) }
    let problems =
      ModelRules.problems(type, name, properties, inverses) + named.problems(properties, inverses, name)
    return ModelClass(
      type, name, properties, inverses, ObjectTemplate(prototype, fields, properties + inverses),
      isEmbedded: type.isEmbedded(), problems: problems)
  }
}
