import Foundation
import LarderStorage

extension Realm {
  /// The treatment of an object whose primary key another object has.
  @frozen
  public enum UpdatePolicy: Int, Sendable {
    /// It is misuse.
    case error = 1
    /// Only properties that differ are written.
    case modified = 3
    /// Every property is written.
    case all = 2
  }

  /// Makes an unmanaged object, and everything reachable from it, managed.
  ///
  /// ```swift
  /// let person = Person(value: ["id": 4, "name": "Edsger"] as [String: Any])
  /// try realm.write { realm.add(person, update: .modified) }
  /// ```
  ///
  /// Misuse outside of a write transaction, for a deleted object, one of another Realm, and a primary key that is taken (unless `update` says
  /// otherwise); `realm.throwing.add` throws instead. On the Realm's thread. Costs a fraction of a microsecond for each property.
  public func add(
    _ object: Object, update: Realm.UpdatePolicy = .error, file: StaticString = #fileID, line: UInt = #line
  ) {
    CallSite.note(file, line) { addNow(object, update) }
  }

  @inline(__always)
  private func addNow(_ object: Object, _ policy: UpdatePolicy) {
    guard core.checkAdding(object, policy) else { return }
    core.adding(under: policy) {
      _ = orMisuse { try ObjectBuilder(core, policy: policy).add(object, only: nil) }
    }
  }

  /// Makes several unmanaged objects, and everything reachable from them, managed.
  ///
  /// ```swift
  /// let dogs = ["Rex", "Fido"].map { Dog(value: ["name": $0]) }
  /// try realm.write { realm.add(dogs) }
  /// ```
  ///
  /// Misuse as for one object; `realm.throwing.add` throws instead, and has then added none. On the Realm's thread. Costs as much as adding
  /// each.
  public func add<S>(
    _ objects: S, update: Realm.UpdatePolicy = .error, file: StaticString = #fileID, line: UInt = #line
  ) where S: Sequence, S.Element: Object {
    // The sequence may be the program's own: what it does is not this call.
    for object in objects { CallSite.note(file, line) { addNow(object, update) } }
  }

  /// Makes or updates an object from a dictionary, an array in the order of the properties, or another object.
  ///
  /// ```swift
  /// let made = try realm.write {
  ///   realm.create(Person.self, value: ["id": 5, "name": "Barbara", "dogs": [["name": "Lia"]]] as [String: Any])
  /// }
  /// ```
  ///
  /// Misuse outside of a write transaction and for values that do not fit; `realm.throwing.create` throws instead. On the Realm's thread. Costs
  /// some microseconds: values are converted, and nested ones become objects too.
  @discardableResult
  public func create<T>(
    _ type: T.Type, value: Any = [String: Any](), update: Realm.UpdatePolicy = .error,
    file: StaticString = #fileID, line: UInt = #line
  ) -> T where T: Object {
    CallSite.note(file, line) {
      orMisuse {
        try core.verifyThread()
        return try core.create(value, in: core.verifiedCursor(for: type), update, isPlanned: false)
      }
    }
  }

  /// Deletes an object; links to it become nil or are removed, embedded objects it owns are deleted with it.
  ///
  /// Misuse outside of a write transaction, and for an object that is not a live one of this Realm (E-54).
  ///
  /// ```swift
  /// try realm.write { realm.delete(person) }
  /// ```
  ///
  /// `realm.throwing.delete` throws instead. On the Realm's thread. Costs some microseconds, and as much again for each link to the object.
  public func delete(_ object: ObjectBase, file: StaticString = #fileID, line: UInt = #line) {
    CallSite.note(file, line) { orMisuse { try deleteRow(of: object) } }
  }

  /// Deletes objects; links to them become nil or are removed, embedded objects they own are deleted with them.
  public func delete<S>(_ objects: S, file: StaticString = #fileID, line: UInt = #line)
  where S: Sequence, S.Element: ObjectBase {
    let objects = Array(objects)
    CallSite.note(file, line) { orMisuse { try deleteRows(of: objects) } }
  }

  /// Deletes the elements; the list becomes empty.
  public func delete<Element>(_ objects: List<Element>, file: StaticString = #fileID, line: UInt = #line)
  where Element: ObjectBase {
    delete(Array(objects), file: file, line: line)
  }

  /// Deletes the objects that are the values of a map; their keys stay, with nil.
  public func delete<Key, Value>(_ map: Map<Key, Value?>, file: StaticString = #fileID, line: UInt = #line)
  where Key: _MapKey, Value: ObjectBase {
    delete(map.values.compactMap { $0 }, file: file, line: line)
  }

  /// Deletes the elements; the set becomes empty.
  public func delete<Element>(_ objects: MutableSet<Element>, file: StaticString = #fileID, line: UInt = #line)
  where Element: ObjectBase {
    delete(Array(objects), file: file, line: line)
  }

  /// Deletes the objects of a result; links to them become nil or are removed, embedded objects they own are deleted with them.
  ///
  /// ```swift
  /// try realm.write { realm.delete(realm.objects(Dog.self).where { $0.name == "Rex" }) }
  /// ```
  ///
  /// Misuse outside of a write transaction; `realm.throwing.delete` throws instead. On the Realm's thread. Costs less than deleting the objects
  /// one by one: links to all of them are looked up once.
  public func delete<Element>(
    _ objects: Results<Element>, file: StaticString = #fileID, line: UInt = #line
  ) where Element: ObjectBase {
    CallSite.note(file, line) {
      core.checkThread()
      core.checkWriting { "Delete objects inside realm.write { }." }
      objects.state.deleteAll()
    }
  }

  /// Deletes all objects of all classes of this Realm's schema.
  ///
  /// ```swift
  /// try realm.write { realm.deleteAll() }
  /// ```
  ///
  /// Misuse outside of a write transaction. On the Realm's thread. Costs as much as the objects have columns and links, not one by one.
  public func deleteAll() {
    core.checkThread()
    core.checkWriting { "Delete objects inside realm.write { }." }
    core.announcer?.changesAnything(in: core.writeNumber)
    // Objects that wait to be sent are none of the Realm's any more.
    for model in core.knownModels where !model.type.isAsymmetric() {
      orMisuse { try core.openWriter().deleteAll(core.cursor(of: model).classID) }
    }
    core.noteChange()
  }

  /// All objects of a class, or all as a projection shows them: lazy and live.
  ///
  /// ```swift
  /// let people = realm.objects(Person.self)
  /// for person in people { print(person.name) }
  /// ```
  ///
  /// Misuse for a class that is not in the Realm's schema. On the Realm's thread. Costs next to nothing: nothing is read before it is needed.
  public func objects<Element>(
    _ type: Element.Type, file: StaticString = #fileID, line: UInt = #line
  ) -> Results<Element> where Element: RealmFetchable {
    CallSite.note(file, line) {
      core.checkThread()
      if let type = type as? ObjectBase.Type { return Results(ResultsState.all(core.cursor(for: type))) }
      guard let type = type as? any AnyProjection.Type else { misuse("\(type) has no rows of its own.") }
      return Results(ResultsState.all(core.cursor(for: type.rootType), ProjectionMaker(type)))
    }
  }

  /// The object with a primary key, or nil.
  ///
  /// ```swift
  /// let ada = realm.object(ofType: Person.self, forPrimaryKey: 1)
  /// ```
  ///
  /// Misuse for a class without a primary key and a key of another type; `realm.throwing.object` throws instead. On the Realm's thread. Costs
  /// less than a microsecond: one look-up in an index.
  public func object<Element, KeyType>(
    ofType type: Element.Type, forPrimaryKey key: KeyType, file: StaticString = #fileID, line: UInt = #line
  ) -> Element? where Element: Object {
    if KeyType.self == Int.self, let cursor = core.cursorAtOnce(for: type), cursor.model.integerKey != nil {
      // Checked on the lines before and by the cursor: checked casts would cost as much as the look-up.
      let number = Int64(unsafeBitCast(key, to: Int.self))
      guard let key = cursor.key(ofPrimaryKey: number) else { return nil }
      return unsafeDowncast(cursor.object(key), to: Element.self)
    }
    return CallSite.note(file, line) {
      core.checkThread()
      let cursor = core.cursor(for: type)
      return cursor.find(primaryKey: key).flatMap { cursor.object($0) as? Element }
    }
  }

  @available(*, unavailable, message: "Pass update: .error, .modified or .all")
  public func add(_ object: Object, update: Bool) {}

  @available(*, unavailable, message: "Pass update: .error, .modified or .all")
  public func add<S>(_ objects: S, update: Bool) where S: Sequence, S.Element: Object {}
}

/// Objects that can be asked for by class.
public protocol RealmFetchable: RealmCollectionValue {
  /// The name of the class in the schema.
  static func className() -> String
}

extension Object: RealmFetchable {}

// The cores of deleting: they check everything before they change anything.
extension Realm {
  func deleteRow(of object: ObjectBase) throws {
    let cursor = try verifyDeletable(object)
    core.announcer?.deletes(cursor.classID, [object._objectKey], in: core.writeNumber)
    guard cursor.mayBeLive(object), try core.openWriter().deleteIfPresent(cursor.classID, object._objectKey) else {
      throw Realm.Error.invalid(object.deletedMessage, className: cursor.model.name)
    }
    object.detach()
    core.noteChange()
  }

  func deleteRows(of objects: [ObjectBase]) throws {
    try core.verifyThread()
    var keys: [ObjectIdentifier: (cursor: _ClassCursor, keys: [ObjectKey])] = [:]
    for object in objects {
      let cursor = try verifyDeleting(object)
      keys[ObjectIdentifier(cursor), default: (cursor, [])].keys.append(object._objectKey)
    }
    for entry in keys.values {
      // One look-up of the links to all of them; an object may be listed twice, or go with an owner listed before.
      let live = Set(entry.keys).sorted().filter { entry.cursor.isPresent($0) }
      core.announcer?.deletes(entry.cursor.classID, live, in: core.writeNumber)
      try core.openWriter().delete(entry.cursor.classID, keys: live)
    }
    for object in objects { object.detach() }
    core.noteChange()
  }

  /// The cursor of an object that may be deleted here and now.
  private func verifyDeleting(_ object: ObjectBase) throws -> _ClassCursor {
    let cursor = try verifyDeletable(object)
    guard cursor.isLive(object) else {
      throw Realm.Error.invalid(object.deletedMessage, className: cursor.model.name)
    }
    return cursor
  }

  /// Returns the cursor of an object, as `verifyDeleting(_:)` does, without looking whether the object is still there.
  private func verifyDeletable(_ object: ObjectBase) throws -> _ClassCursor {
    try core.verifyThread()
    guard object.host === core, !object.isDetached, let cursor = object.cursorReference else {
      throw Realm.Error.notDeletable(object.model)
    }
    try core.verifyWriting { "Delete \(cursor.model.name) inside realm.write { }." }
    return cursor
  }
}

extension _ClassCursor {
  /// The row with a primary key; misuse for a class without one and for a key of another type (E-58).
  func find(primaryKey key: Any) -> ObjectKey? { orMisuse { try verifiedFind(primaryKey: key) } }

  /// The same, throwing.
  func verifiedFind(primaryKey key: Any) throws -> ObjectKey? {
    guard let primary = model.primaryKey else { throw Realm.Error.noKeyToFindBy(model) }
    guard let value = primaryKeyValue(key, primary) else { throw Realm.Error.wrongKey(key, primary, model) }
    return try host.reader.object(classID, primaryKey: value)
  }

  /// A primary key in the store's form; nil when it does not fit.
  func primaryKeyValue(_ key: Any, _ primary: ModelProperty) -> StoredValue? {
    if primary.type == .int, let number = key as? Int { return .int(Int64(number)) }
    guard let value = ValueConverter.stored(key, as: primary.type) else { return nil }
    return value.isNull && !primary.isOptional ? nil : value
  }
}
