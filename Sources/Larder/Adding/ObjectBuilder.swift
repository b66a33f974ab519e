import Foundation
import LarderStorage

/// Adds graphs of unmanaged objects to a Realm, and makes or updates objects from dictionaries, arrays and other objects: what `AddPlan`
/// applies. Without a plan, what does not fit throws where it is come to, after a part of the graph was added; that does for calls whose
/// error ends the process.
///
/// Within `ObjectHost.adding(under:)` with the same policy.
struct ObjectBuilder {
  let host: ObjectHost
  let policy: Realm.UpdatePolicy
  /// For making objects from values: what becomes of the objects among these. Nil when instances themselves are added.
  let input: CreationInput?

  init(_ host: ObjectHost, policy: Realm.UpdatePolicy, input: CreationInput? = nil) {
    self.host = host
    self.policy = policy
    self.input = input
  }

  private func updates(_ accessor: _PropertyAccessor, of object: ObjectBase, _ only: Set<Int>?) -> Bool {
    if let only { return only.contains(accessor.index) }
    return !host.adding.assignedOnly || accessor.isAssigned(object.address)
  }

  // MARK: - Adding instances

  /// Makes an unmanaged object and everything it reaches managed (O-2). Returns its key.
  ///
  /// - Parameter only: Numbers of the properties that an existing row is updated in; nil for all.
  @discardableResult
  func add(_ object: ObjectBase, only: Set<Int>?) throws -> ObjectKey {
    if policy == .error, let recent = host.recent.find(type(of: object)),
      let key = try recent._withUnsafeGuaranteedRef({ try addNext(object, $0) })
    {
      return key
    }
    let cursor = host.cursor(for: type(of: object))
    let model = cursor.model
    if policy == .error, let key = try addNext(object, cursor) { return key }
    if let key = updateNext(object, cursor, only) { return key }
    guard let primary = model.primaryKey else {
      if model.isEmbedded { throw Realm.Error.embeddedAlone(model) }
      let key = try cursor.makeRow(primaryKey: nil, intent: .create)
      adopt(object, cursor, key)
      return key
    }
    let value = primary.accessor.storedValue(object.address)
    if policy != .error, let existing = try host.reader.object(cursor.classID, primaryKey: value) {
      update(object, cursor, existing, only: only)
      return existing
    }
    let key = try create(cursor, primary, value)
    adopt(object, cursor, key)
    return key
  }

  /// Adds a new object of a class with an integer primary key; nil for other classes.
  @inline(__always)
  private func addNext(_ object: ObjectBase, _ cursor: _ClassCursor) throws -> ObjectKey? {
    guard let primary = cursor.model.integerKey else { return nil }
    let number = IntAccessor.value(primary, object.address)
    let key = try cursor.makeRow(primaryKey: number) ?? createSlowly(cursor, number)
    adopt(object, cursor, key)
    return key
  }

  /// Updates the object with the same integer primary key; nil where there is none, and for other classes.
  private func updateNext(_ object: ObjectBase, _ cursor: _ClassCursor, _ only: Set<Int>?) -> ObjectKey? {
    guard policy != .error, let primary = cursor.model.integerKey else { return nil }
    let number = IntAccessor.value(primary, object.address)
    guard let existing = cursor.key(ofPrimaryKey: number) else { return nil }
    update(object, cursor, existing, only: only)
    return existing
  }

  /// Makes the row as the bulk path could not, or says why not.
  private func createSlowly(_ cursor: _ClassCursor, _ number: Int64) throws -> ObjectKey {
    guard let primary = cursor.model.primaryKey else {
      throw Realm.Error.invalid("\(cursor.model.name) has no primary key.", className: cursor.model.name)
    }
    return try create(cursor, primary, .int(number))
  }

  func create(_ cursor: _ClassCursor, _ primary: ModelProperty, _ value: StoredValue) throws -> ObjectKey {
    do {
      return try cursor.makeRow(primaryKey: value, intent: policy.intent)
    } catch let error as StorageError where error.code == .duplicatePrimaryKey {
      throw Realm.Error.duplicate(cursor.model, primary, value)
    }
  }

  /// Makes an unmanaged object the accessor of a new row and writes its values there.
  func adopt(_ object: ObjectBase, _ cursor: _ClassCursor, _ key: ObjectKey) {
    // First the object, then its links: a link that leads back finds it managed.
    object.attach(cursor, key)
    host.noteChange()
    if host.adding.depth.isDeep { return host.adding.depth.postpone { fillRow(of: object, cursor, key) } }
    host.adding.depth.enter()
    fillRow(of: object, cursor, key)
    host.adding.depth.leave()
    if host.adding.depth.isDone { host.finishPostponed() }
  }

  private func fillRow(of object: ObjectBase, _ cursor: _ClassCursor, _ key: ObjectKey) {
    let memory = object.address
    for accessor in cursor.model.addOrder {
      accessor._withUnsafeGuaranteedRef { $0.add(memory, cursor, key, owner: object) }
    }
    if let (index, offset) = cursor.model.primaryKeyPlace {
      memory.storeBytes(of: index, toByteOffset: offset, as: Int32.self)
    }
  }

  /// Writes an unmanaged object's values to an existing row and makes it the row's accessor (O-48).
  func update(_ object: ObjectBase, _ cursor: _ClassCursor, _ key: ObjectKey, only: Set<Int>? = nil) {
    let cursor = cursor.typed ?? cursor
    object.attach(cursor, key)
    if host.adding.depth.isDeep { return host.adding.depth.postpone { updateRow(of: object, cursor, key, only) } }
    host.adding.depth.enter()
    updateRow(of: object, cursor, key, only)
    host.adding.depth.leave()
    if host.adding.depth.isDone { host.finishPostponed() }
  }

  private func updateRow(of object: ObjectBase, _ cursor: _ClassCursor, _ key: ObjectKey, _ only: Set<Int>?) {
    let memory = object.address
    // No array of properties: walking one would count references for each of them and each object.
    for accessor in cursor.model.addOrder[..<cursor.model.storedCount] {
      accessor._withUnsafeGuaranteedRef {
        if updates($0, of: object, only) {
          $0.update(memory, cursor, key, owner: object, changedOnly: policy == .modified)
        } else {
          $0.clear(memory)
        }
      }
    }
    for accessor in cursor.model.addOrder[cursor.model.storedCount...] {
      accessor._withUnsafeGuaranteedRef { $0.clear(memory) }
    }
    if let (index, offset) = cursor.model.primaryKeyPlace {
      memory.storeBytes(of: index, toByteOffset: offset, as: Int32.self)
    }
  }

  // MARK: - Making from values

  /// Makes or updates a row from a dictionary, an array or another object, and all that this leads to (O-3 to O-5).
  func create(
    _ cursor: _ClassCursor, _ value: Any, _ prepared: PreparedObjects = PreparedObjects()
  ) throws -> ObjectBase {
    if input != nil { return try make(cursor, value) }
    let input = CreationInput(host, prepared)
    let builder = ObjectBuilder(host, policy: policy, input: input)
    let object = try builder.make(cursor, value)
    try input.finish(builder)
    return object
  }

  private func make(_ cursor: _ClassCursor, _ value: Any) throws -> ObjectBase {
    if let object = ValueConverter.object(value), policy != .error, host.manages(object),
      object.model.name == cursor.model.name
    {
      return object.cursorReference === cursor ? object : cursor.object(object._objectKey)
    }
    if cursor.model.isDynamic { return try createDynamic(cursor, value) }
    if let copy = try copyOfForeign(value, cursor) {
      try add(copy)
      return copy
    }
    let supplied = try SuppliedValues(value, cursor.model)
    var made: ObjectBase?
    if let primary = cursor.model.primaryKey, policy != .error {
      // A key that is not given is that of the object which is added if none has it.
      if try supplied.value(primary) == nil { made = unfilled(cursor, hasKey: false) }
      let given = try supplied.value(primary) ?? (made?.boxedValue(primary) ?? Optional<Int>.none as Any)
      guard let stored = ValueConverter.stored(given, as: primary.type) else {
        throw Realm.Error.doesNotFit(given, primary, cursor.model)
      }
      if let existing = try host.reader.object(cursor.classID, primaryKey: stored) {
        let object = cursor.object(existing)
        input?.note(value, is: object)
        try assign(supplied, cursor, existing)
        return object
      }
    }
    let hasKey = try cursor.model.primaryKey.map { try supplied.value($0) != nil } ?? true
    let object = made ?? unfilled(cursor, hasKey: hasKey)
    input?.note(value, is: object)
    try fill(object, supplied)
    object.evaluateDefaults()
    try add(object)
    return object
  }

  /// A new object without the declared values that are made for each object; those that were made already go first.
  private func unfilled(_ cursor: _ClassCursor, hasKey: Bool = true) -> ObjectBase {
    input?.takePrepared(cursor.model.type, hasKey: hasKey) ?? DeclaredDefaults.deferred { cursor.model.type.init() }
  }

  /// An unmanaged copy of an object of another Realm with all that it leads to, which may lead back (O-3); nil for other values.
  func copyOfForeign(_ value: Any, _ cursor: _ClassCursor) throws -> ObjectBase? {
    guard let object = ValueConverter.object(value), object.isManaged, object.host !== host,
      object.model.type == cursor.model.type
    else { return nil }
    return try Detaching.copy(of: object, .max)
  }

  /// Writes the supplied properties of an existing row.
  func assign(_ supplied: SuppliedValues, _ cursor: _ClassCursor, _ key: ObjectKey) throws {
    for property in cursor.model.properties where !property.isPrimaryKey {
      if let value = try supplied.value(property) { try assign(value, property, cursor, key, isNew: false) }
    }
  }

  /// Writes one property of an existing row from a value of any kind.
  func assign(_ value: Any, _ property: ModelProperty, _ cursor: _ClassCursor, _ key: ObjectKey, isNew: Bool)
    throws
  {
    if let typed = cursor.typed {
      return try assign(value, typed.model.properties[property.index], typed, key, isNew: isNew)
    }
    let changedOnly = policy == .modified
    if property.isObject, property.accessor.mayRefuse {
      try Self.verifyTaken(Self.contents(value, property), property, cursor.model)
    }
    if cursor.model.isDynamic, property.isEmbedded {
      try assignEmbedded(value, property, cursor, key)
    } else if property.kind != .none {
      let accessor = cursor.object(key)
      guard let list = property.accessor.managedValue(accessor) as? any ManagedCollection,
        try list.assign(input?.contents(value, property) ?? value, self)
          || assignUnknown(value, property, cursor, key)
      else { throw Realm.Error.doesNotFit(value, property, cursor.model) }
    } else if property.isObject {
      try assignLink(value, property, cursor, key, changedOnly: changedOnly)
    } else {
      let value = property.type == .any ? try input?.copied(value) ?? value : value
      // A value of any type may link to objects that are added with it.
      let known = property.accessor.converted(value, in: host) ?? unknown(value, property)
      guard let stored = known, property.isOptional || !stored.isNull else {
        throw Realm.Error.doesNotFit(value, property, cursor.model)
      }
      if !changedOnly || cursor.value(property.index, key) != stored { cursor.store(stored, property.index, key) }
    }
  }

  /// The stored form of a value that the property's type has no value for (O-23): nil when not even the store can hold it.
  private func unknown(_ value: Any, _ property: ModelProperty) -> StoredValue? {
    property.accessor.takesUnknown(value) ? ValueConverter.stored(value, as: property.type) : nil
  }

  /// Replaces a collection's contents by such values; false when they do not fit.
  private func assignUnknown(
    _ value: Any, _ property: ModelProperty, _ cursor: _ClassCursor, _ key: ObjectKey
  ) throws -> Bool {
    guard property.accessor.takesUnknown(value) else { return false }
    let stored = DynamicAccessor(property).storedCollection(CollectionLocation(cursor, property.index, key))
    return try stored?.assign(value, self) ?? false
  }

  private func assignLink(
    _ value: Any, _ property: ModelProperty, _ cursor: _ClassCursor, _ key: ObjectKey, changedOnly: Bool
  ) throws {
    guard !ValueConverter.isNil(value) else {
      return cursor.updateLink(nil, property.index, key, changedOnly: changedOnly)
    }
    guard let target = cursor.target(property.index) else { return }
    let value = ValueConverter.customObject(value) ?? value
    if changedOnly, case .link(let existing) = cursor.value(property.index, key),
      try merge(value, into: existing, target)
    {
      return
    }
    guard let object = try linked(value, target) else { throw Realm.Error.doesNotFit(value, property, cursor.model) }
    cursor.updateLink(object, property.index, key, changedOnly: changedOnly)
  }

  /// The object a nested value means: linked when this Realm manages it, else made or copied.
  func linked(_ value: Any, _ target: _ClassCursor) throws -> ObjectBase? {
    if let object = ValueConverter.object(value) {
      guard object.model.name == target.model.name else { return nil }
      if !object.isManaged {
        let object = try input?.copy(of: object) ?? object
        return target.model.isDynamic && !object.isManaged ? target.object(try add(object)) : object
      }
      if object.host === host, !target.model.isEmbedded {
        return object.cursorReference === target ? object : target.object(host.linkKey(for: object))
      }
      if let copy = try copyOfForeign(object, target) { return copy }
    } else if !SuppliedValues.isPossible(value) {
      return nil
    }
    if target.model.isEmbedded {
      let object = unfilled(target)
      try fill(object, SuppliedValues(value, target.model))
      object.evaluateDefaults()
      return object
    }
    return try create(target, value)
  }

  private func fill(_ object: ObjectBase, _ supplied: SuppliedValues) throws {
    try Self.fill(object, supplied, input) { value, type in try linked(value, host.verifiedCursor(for: type)) }
  }
}

extension Realm.UpdatePolicy {
  /// The intent that the log has for an object that did not exist before (L-16).
  var intent: CreateIntent {
    switch self {
    case .error: .create
    case .all: .createOrUpdateAll
    case .modified: .createOrUpdateModified
    }
  }
}

extension StoredValue {
  /// The value as text for messages.
  var text: String {
    switch self {
    case .null: "nil"
    case .bool(let value): "\(value)"
    case .int(let value): "\(value)"
    case .float(let value): "\(value)"
    case .double(let value): "\(value)"
    case .string(let value): "'\(misuseText(value))'"
    case .data(let value): "\(value.count) bytes"
    case .date(let value): "\(value.date)"
    case .uuid(let value): value.uuidString
    case .objectId(let value): ObjectId(value).stringValue
    case .decimal128(let value): DecimalNumber(value).description
    case .link, .object: "an object"
    case .list(let elements): "a list of \(elements.count)"
    case .dictionary(let entries): "a dictionary of \(entries.count)"
    }
  }
}
