import Foundation
import LarderLocks
import LarderStorage

extension ModelClass {
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
        isFullText: flags & PersistedFlag.fullText != 0, isLocalOnly: flags & PersistedFlag.localOnly != 0,
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
