import Foundation
import LarderStorage

/// Values that objects are made or updated from.
extension AddPlan {
  mutating func check(_ value: Any, _ cursor: _ClassCursor, _ isOwned: Bool) throws {
    let model = cursor.model
    if let object = ValueConverter.object(value) {
      if object.isManaged, object.isInvalidated {
        throw Realm.Error.invalid(object.deletedMessage, className: object.model.name)
      }
      if !object.isManaged { seen.insert(ObjectIdentifier(object)) }
      if policy != .error, !isOwned, host.manages(object), object.model.name == model.name { return }
      // A `DynamicObject` has no copy: its row is made property by property.
      if object.isManaged, object.host !== host, object.model.type == model.type, !model.isDynamic {
        return enqueue(.object(try Detaching.copy(of: object, .max), cursor, isOwned: isOwned))
      }
    }
    if model.isEmbedded, !isOwned { throw Realm.Error.embeddedAlone(model) }
    let supplied = try SuppliedValues(value, model)
    made = nil
    var primaryKey: StoredValue?
    var row: ObjectKey?
    if let primary = model.primaryKey {
      let given = try supplied.value(primary) ?? defaultValue(primary, cursor)
      guard let key = primary.accessor.converted(given, in: host), primary.isOptional || !key.isNull else {
        throw Realm.Error.doesNotFit(given, primary, model)
      }
      try claims.claim(key, primary, cursor, policy)
      primaryKey = key
      row = try existing(key, cursor)
    }
    for property in model.properties where !property.isPrimaryKey {
      if let value = try supplied.value(property) { try check(value, property, cursor) }
    }
    if KeyClaims.areUniqueTogether(in: cursor) { try claim(supplied, cursor, row, primaryKey) }
  }

  /// Takes the unique values of what is made, or of the existing row that is updated.
  private mutating func claim(
    _ supplied: SuppliedValues, _ cursor: _ClassCursor, _ row: ObjectKey?, _ primaryKey: StoredValue?
  ) throws {
    let model = cursor.model
    if row == nil, !model.isDynamic { _ = prepare(cursor, hasKey: true) }
    var claims = claims
    try claims.claim(cursor, row: row, primaryKey: primaryKey) { column in
      let property = model.properties[cursor.index(of: column)]
      if let value = try supplied.value(property) { return property.accessor.converted(value, in: host) ?? .null }
      if let row { return cursor.value(property.index, row) }
      return property.accessor.converted(defaultValue(property, cursor), in: host) ?? .null
    }
    self.claims = claims
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

  mutating func check(_ value: Any, _ property: ModelProperty, _ cursor: _ClassCursor) throws {
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
    try ObjectBuilder.verifyTaken(elements, property, cursor.model)
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
      guard object.isManaged else { return enqueue(.object(object, target.typed ?? target, isOwned: isOwned)) }
      if object.host === host, !isOwned { return try checkManaged(object) }
      if (target.typed ?? target).model.isDynamic { throw Realm.Error.noCopy(object.model) }
    } else if ValueConverter.isNil(value), property.kind == .map {
      return
    } else if !SuppliedValues.isPossible(value) {
      return try tryCustom(value, property, cursor)
    }
    enqueue(.value(value, target, isOwned: isOwned, depth: depth + 1))
  }

  /// Throws unless a value is one of a custom type that is stored as an object; it makes the object itself when it is stored.
  private mutating func tryCustom(_ value: Any, _ property: ModelProperty, _ cursor: _ClassCursor) throws {
    let contents: Any =
      switch property.kind {
      case .none: value
      case .list, .set: [value]
      case .map: ["value": value]
      }
    guard !cursor.model.isDynamic, property.accessor.set(contents, probe(cursor).address) else {
      throw Realm.Error.doesNotFit(value, property, cursor.model)
    }
  }

  /// The unmanaged object of a class that values are tried on.
  private mutating func probe(_ cursor: _ClassCursor) -> ObjectBase {
    if let known = probes[cursor.classID] { return known }
    let probe = DeclaredDefaults.deferred { cursor.model.type.init() }
    probes[cursor.classID] = probe
    return probe
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
    let probe = probe(cursor)
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
