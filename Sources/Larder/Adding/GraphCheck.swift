import Foundation
import LarderStorage

/// Looks through all objects and values that a call is going to add or write, and throws before anything changes: a call that
/// passed has no partial effect (E-0b, O-7).
///
/// Follows links by a list of its own, so that no chain of objects is too long for the stack.
struct GraphCheck {
  private enum Step {
    /// An unmanaged object that will be added.
    case object(ObjectBase, _ClassCursor, isOwned: Bool)
    /// A value that an object will be made or updated from.
    case value(Any, _ClassCursor, isOwned: Bool, depth: Int)
  }

  private struct Claim: Hashable {
    var classID: ClassID
    var key: StoredValue
  }

  private let host: ObjectHost
  private let policy: Realm.UpdatePolicy
  private var waiting: [Step] = []
  /// How deep the value in hand is within the one that was given.
  private var depth = 0
  private var seen: Set<ObjectIdentifier> = []
  /// Primary keys of the objects that will be made.
  private var claims: Set<Claim> = []
  private var unique = UniqueCheck()
  /// Unmanaged objects whose properties values are tried on.
  private var probes: [ClassID: ObjectBase] = [:]
  /// The unmanaged object that the value in hand is going to be, where its defaults were looked at.
  private var made: ObjectBase?
  /// Whether unmanaged objects are copied, as those in the input of `create` are (O-3), not added themselves.
  private var copies = false
  /// Copies of other Realms' objects that unmanaged ones in the input lead to.
  private var detaching: Detaching
  /// What `create` is to make its objects from, so that each declared default is evaluated once (O-21).
  private(set) var prepared = PreparedObjects()

  init(_ host: ObjectHost, _ policy: Realm.UpdatePolicy) {
    self.host = host
    self.policy = policy
    detaching = Detaching(keeping: host)
  }

  /// Throws unless the object can be added.
  mutating func adding(_ object: ObjectBase) throws {
    waiting.append(.object(object, try host.verifiedCursor(for: type(of: object)), isOwned: false))
    try run()
  }

  /// Throws unless an object can be made or updated from the value.
  mutating func creating(_ value: Any, _ cursor: _ClassCursor) throws {
    copies = true
    waiting.append(.value(value, cursor, isOwned: false, depth: 0))
    try run()
  }

  /// Throws unless the property of a row can be set to the value.
  mutating func setting(_ value: Any, _ property: ModelProperty, _ cursor: _ClassCursor, _ row: ObjectKey? = nil) throws
  {
    try check(value, property, cursor)
    try run()
    guard let row, UniqueCheck.applies(to: cursor), property.kind == .none, !property.isObject else { return }
    let new = property.accessor.converted(value, in: host)
    try unique.claim(cursor, row: row, primaryKey: nil) { column in
      let index = cursor.index(of: column)
      return index == property.index ? new ?? .null : cursor.value(index, row)
    }
  }

  private mutating func run() throws {
    while let step = waiting.popLast() {
      let before = waiting.count
      // What a step finds is looked at in the order in which the builder comes to it.
      defer { waiting[before...].reverse() }
      switch step {
      case .object(let object, let cursor, let isOwned): try check(object, cursor, isOwned)
      case .value(let value, let cursor, let isOwned, let depth):
        guard depth <= ObjectBuilder.maximumDepth else { throw ObjectBuilder.tooDeep(cursor.model) }
        self.depth = depth
        try check(value, cursor.typed ?? cursor, isOwned)
      }
    }
  }

  // MARK: - Unmanaged objects

  private mutating func check(_ object: ObjectBase, _ cursor: _ClassCursor, _ isOwned: Bool) throws {
    let model = cursor.model
    guard seen.insert(ObjectIdentifier(object)).inserted else {
      // Of an object in input each place gets a copy.
      if model.isEmbedded, !copies { throw Realm.Error.secondParent(model) }
      return
    }
    if model.isEmbedded, !isOwned { throw Realm.Error.embeddedAlone(model) }
    let descriptor = try host.reader.descriptor(cursor.classID)
    for property in model.properties {
      if property.isObject {
        try checkLinks(of: object, property, cursor)
      } else if property.type == .any {
        try checkAny(property.accessor.boxed(object.address), property, model)
      } else if property.kind == .none {
        guard property.accessor.hasValue(object.address) else {
          throw Realm.Error.invalid(
            model.lacksDefault(property.name), className: model.name, propertyName: property.name)
        }
        let value = property.accessor.storedValue(object.address)
        try descriptor.column(cursor.columns[property.index])?.check(value, in: descriptor)
        if property.isPrimaryKey { try claim(value, property, cursor) }
      }
    }
    guard UniqueCheck.applies(to: cursor) else { return }
    let key = model.primaryKey?.accessor.storedValue(object.address)
    try unique.claim(cursor, row: try key.flatMap { try existing($0, cursor) }, primaryKey: key) {
      model.properties[cursor.index(of: $0)].accessor.storedValue(object.address)
    }
  }

  /// The row that will be updated instead of making one.
  private func existing(_ key: StoredValue, _ cursor: _ClassCursor) throws -> ObjectKey? {
    policy == .error ? nil : try host.reader.object(cursor.classID, primaryKey: key)
  }

  private mutating func checkLinks(of object: ObjectBase, _ property: ModelProperty, _ cursor: _ClassCursor) throws {
    guard let target = cursor.target(property.index) else { return }
    let value = property.accessor.boxed(object.address)
    let linked = ValueConverter.collection(value)?.boxedElements() ?? [value]
    for case let object as ObjectBase in linked {
      guard object.model.name == target.model.name else {
        throw Realm.Error.otherClass(object, property, cursor.model)
      }
      guard object.isManaged else {
        waiting.append(.object(object, target, isOwned: target.model.isEmbedded))
        continue
      }
      if copies, target.model.isEmbedded || object.host !== host {
        try checkCopying(object, target)
        continue
      }
      try checkManaged(object)
      if target.model.isEmbedded { throw Realm.Error.secondParent(target.model) }
    }
  }

  /// Looks at the copy that will be made of a managed object that an unmanaged one in the input leads to.
  private mutating func checkCopying(_ object: ObjectBase, _ target: _ClassCursor) throws {
    guard !object.isInvalidated else {
      throw Realm.Error.invalid(object.deletedMessage, className: object.model.name)
    }
    guard !object.model.isDynamic else { throw Realm.Error.noCopy(object.model) }
    waiting.append(.object(try detaching.copyAll(of: object), target, isOwned: target.model.isEmbedded))
  }

  /// Looks at what values of any type link to, and how deep they nest.
  private mutating func checkAny(_ value: Any, _ property: ModelProperty, _ model: ModelClass) throws {
    var contents = AnyContents(property, model)
    try contents.add(value)
    for object in contents.objects {
      if object.model.isEmbedded { throw Realm.Error.embeddedAlone(object.model) }
      if object.isManaged {
        try checkManaged(object)
      } else {
        waiting.append(.object(object, try host.verifiedCursor(for: type(of: object)), isOwned: false))
      }
    }
  }

  /// Throws unless a managed object can be linked to.
  private func checkManaged(_ object: ObjectBase) throws {
    guard object.host === host else { throw Realm.Error.otherRealm(object.model) }
    guard !object.isInvalidated else {
      throw Realm.Error.invalid(object.deletedMessage, className: object.model.name)
    }
  }

  /// Takes a primary key for an object to be made; throws when it is taken already and may not be.
  private mutating func claim(_ value: StoredValue, _ primary: ModelProperty, _ cursor: _ClassCursor) throws {
    let isNew = claims.insert(Claim(classID: cursor.classID, key: value)).inserted
    guard policy == .error else { return }
    guard isNew, try host.reader.object(cursor.classID, primaryKey: value) == nil else {
      throw Realm.Error.duplicate(cursor.model, primary, value)
    }
  }

  // MARK: - Values

  private mutating func check(_ value: Any, _ cursor: _ClassCursor, _ isOwned: Bool) throws {
    let model = cursor.model
    if let object = ValueConverter.object(value) {
      if object.isManaged, object.isInvalidated {
        throw Realm.Error.invalid(object.deletedMessage, className: object.model.name)
      }
      if !object.isManaged { seen.insert(ObjectIdentifier(object)) }
      if policy != .error, !isOwned, host.manages(object), object.model.name == model.name { return }
      // A `DynamicObject` has no copy: its row is made property by property.
      if object.isManaged, object.host !== host, object.model.type == model.type, !model.isDynamic {
        return waiting.append(.object(try Detaching.copy(of: object, .max), cursor, isOwned: isOwned))
      }
    }
    if model.isEmbedded, !isOwned { throw Realm.Error.embeddedAlone(model) }
    let supplied = try SuppliedValues(verifying: value, model)
    made = nil
    var primaryKey: StoredValue?
    var row: ObjectKey?
    if let primary = model.primaryKey {
      let given = try supplied.verifiedValue(primary) ?? defaultValue(primary, cursor)
      guard let key = primary.accessor.converted(given, in: host), primary.isOptional || !key.isNull else {
        throw Realm.Error.doesNotFit(given, primary, model)
      }
      try claim(key, primary, cursor)
      primaryKey = key
      row = try existing(key, cursor)
    }
    for property in model.properties where !property.isPrimaryKey {
      if let value = try supplied.verifiedValue(property) { try check(value, property, cursor) }
    }
    guard UniqueCheck.applies(to: cursor) else { return }
    let known = row
    if known == nil, !model.isDynamic { _ = prepare(cursor, hasKey: true) }
    var unique = unique
    try unique.claim(cursor, row: known, primaryKey: primaryKey) { column in
      let property = model.properties[cursor.index(of: column)]
      if let value = try supplied.verifiedValue(property) {
        return property.accessor.converted(value, in: host) ?? .null
      }
      if let known { return cursor.value(property.index, known) }
      return property.accessor.converted(defaultValue(property, cursor), in: host) ?? .null
    }
    self.unique = unique
  }

  private mutating func defaultValue(_ property: ModelProperty, _ cursor: _ClassCursor) -> Any {
    cursor.model.isDynamic
      ? StoredValue.initial(property).boxed ?? NSNull()
      : prepare(cursor, hasKey: !property.isPrimaryKey).boxedValue(property)
  }

  /// The object that the value in hand is going to be, with or without a primary key of its own.
  private mutating func prepare(_ cursor: _ClassCursor, hasKey: Bool) -> ObjectBase {
    if let made { return made }
    let object = DeclaredDefaults.deferred { cursor.model.type.init() }
    made = object
    prepared.add(object, hasKey: hasKey)
    return object
  }

  private mutating func check(_ value: Any, _ property: ModelProperty, _ cursor: _ClassCursor) throws {
    if ValueConverter.isNil(value) {
      if property.kind == .none, !property.isObject, !property.isOptional, property.type != .any {
        throw Realm.Error.doesNotFit(value, property, cursor.model)
      }
      return
    }
    if property.kind != .none { try verifyContents(value) }
    guard property.isObject, let target = cursor.target(property.index) else {
      return try tryOn(value, property, cursor)
    }
    let elements: [Any]?
    switch property.kind {
    case .none: elements = [value]
    case .list, .set: elements = ValueConverter.sequence(value)
    case .map:
      elements = ValueConverter.entries(value)?.map(\.value)
    }
    guard let elements else { throw Realm.Error.doesNotFit(value, property, cursor.model) }
    for element in elements { try checkNested(element, property, cursor, target) }
  }

  private mutating func checkNested(
    _ value: Any, _ property: ModelProperty, _ cursor: _ClassCursor, _ target: _ClassCursor
  ) throws {
    let isOwned = target.model.isEmbedded
    if let object = ValueConverter.object(value) {
      guard object.model.name == target.model.name else {
        throw Realm.Error.otherClass(object, property, cursor.model)
      }
      guard object.isManaged else { return waiting.append(.object(object, target.typed ?? target, isOwned: isOwned)) }
      if object.host === host, !isOwned { return try checkManaged(object) }
      if (target.typed ?? target).model.isDynamic { throw Realm.Error.noCopy(object.model) }
    } else if ValueConverter.isNil(value), property.kind == .map {
      return
    } else if !SuppliedValues.isPossible(value) {
      throw Realm.Error.doesNotFit(value, property, cursor.model)
    }
    waiting.append(.value(value, target, isOwned: isOwned, depth: depth + 1))
  }

  /// Sets the property of an unmanaged object to the value, as adding will do.
  private mutating func tryOn(_ value: Any, _ property: ModelProperty, _ cursor: _ClassCursor) throws {
    if property.type == .any { return try checkAny(value, property, cursor.model) }
    guard !cursor.model.isDynamic else {
      let values =
        property.kind == .none
        ? [value]
        : property.kind == .map ? ValueConverter.entries(value)?.map(\.value) : ValueConverter.sequence(value)
      guard let values, values.allSatisfy({ property.accessor.converted($0, in: host) != nil }) else {
        throw Realm.Error.doesNotFit(value, property, cursor.model)
      }
      return
    }
    let probe = probes[cursor.classID] ?? DeclaredDefaults.deferred { cursor.model.type.init() }
    probes[cursor.classID] = probe
    let isKnown = property.accessor.set(value, probe.address)
    guard isKnown || property.accessor.takesUnknown(value) else {
      throw Realm.Error.doesNotFit(value, property, cursor.model)
    }
    guard property.kind == .none, property.type != .any else { return }
    let descriptor = try host.reader.descriptor(cursor.classID)
    let stored =
      isKnown
      ? property.accessor.storedValue(probe.address) : ValueConverter.stored(value, as: property.type) ?? .null
    try descriptor.column(cursor.columns[property.index])?.check(stored, in: descriptor)
  }
}
