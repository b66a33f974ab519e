import LarderQuery
import LarderStorage

/// The place of a managed collection: a property of a row, or within the value of one.
struct CollectionLocation: Hashable {
  let host: ObjectHost
  let cursor: _ClassCursor
  let index: Int
  let key: ObjectKey
  /// The moment at which it was made.
  let validity: ValidityStamp
  /// For a list or dictionary within a value of any type.
  var nested: NestedPlace?

  init(_ cursor: _ClassCursor, _ index: Int, _ key: ObjectKey) {
    host = cursor.host
    self.cursor = cursor
    self.index = index
    self.key = key
    validity = cursor.host.validity
  }

  var column: ColumnID { cursor.columns[index] }
  var property: ModelProperty { cursor.model.properties[index] }

  /// The cursor of the objects that the collection holds; nil when it holds values.
  var target: _ClassCursor? { cursor.target(index) }

  /// Class and property, for messages.
  var name: String { "\(cursor.model.name).\(property.name)" }

  // MARK: - Being valid

  /// True if the owner's row exists, and a nested collection is still part of it.
  var isAlive: Bool {
    guard ownerIsAlive else { return false }
    return nested.map { place in orMisuse { try find(place) } != nil } ?? true
  }

  /// True if the owner's row exists.
  private var ownerIsAlive: Bool {
    guard host.isValid(validity, cursor.classID, key) else { return false }
    return cursor.isPresent(key)
  }

  /// Throws unless the collection can be read here (E-82).
  func verify() throws {
    try host.verifyThread()
    guard ownerIsAlive else {
      throw error("The owner of \(name) was deleted or invalidated; the collection cannot be used any more.")
    }
    if let nested, try find(nested) == nil { throw replaced }
  }

  /// Throws unless the collection can be changed here and now (E-36, E-40, E-82).
  func verifyWritable() throws {
    try verify()
    try host.verifyWriting { "Change \(name) inside realm.write { }." }
  }

  func error(_ message: String) -> Realm.Error {
    .invalid(message, className: cursor.model.name, propertyName: property.name)
  }

  /// The same place in another Realm of the store; nil when the owner does not exist there.
  func moved(to other: ObjectHost) -> CollectionLocation? {
    let target = other.cursor(like: cursor)
    guard target.isPresent(key) else { return nil }
    var result = CollectionLocation(target, index, key)
    result.nested = nested
    return nested == nil || result.isAlive ? result : nil
  }

  static func == (lhs: CollectionLocation, rhs: CollectionLocation) -> Bool {
    lhs.cursor === rhs.cursor && lhs.index == rhs.index && lhs.key == rhs.key && lhs.nested == rhs.nested
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(cursor))
    hasher.combine(index)
    hasher.combine(key)
    hasher.combine(nested)
  }

  // MARK: - Contents

  func list() throws -> any ListReading {
    if let nested { return NestedListReading(elements: try nestedElements(nested)) }
    return try present(try host.reader.list(cursor.classID, column, key))
  }

  func set() throws -> any SetReading { try present(try host.reader.set(cursor.classID, column, key)) }

  func map() throws -> any MapReading {
    if let nested { return NestedMapReading(entries: try nestedEntries(nested)) }
    return try present(try host.reader.map(cursor.classID, column, key))
  }

  /// The elements of a list or set, or the values of a map.
  func elements() throws -> any ListReading {
    if let nested { return NestedListReading(elements: try nestedElements(nested)) }
    if try absentees != nil, property.kind == .map { return try map().values }
    return try present(try host.reader.elements(cursor.classID, column, key))
  }

  /// All elements in order, read chunk by chunk.
  func values() throws -> [StoredValue] { try elements().values() }

  /// The keys of the objects that the collection holds, without nils.
  func objectKeys() throws -> [ObjectKey] {
    let elements = try elements()
    var keys: [ObjectKey] = []
    keys.reserveCapacity(elements.count)
    if elements is PresentElements { return try elements.values().compactMap(\.linkedKey) }
    try elements.forEachChunk { _, leaf in
      for slot in 0..<leaf.count { if let key = leaf.link(slot) { keys.append(key) } }
      return true
    }
    return keys
  }

  // MARK: - Elements

  /// An element for a stored value; `step` says where in the collection it is, for lists and dictionaries within values.
  ///
  /// Throws when the stored value is none of the element's type, such as an unknown raw value of an enum (O-23).
  func element<Element: RealmCollectionValue>(_ value: StoredValue, at step: MixedStep? = nil) throws -> Element {
    if value.isCollection, let element = anyValue(value, at: step) as? Element { return element }
    if Element._rlmHoldsObject, let target {
      if case .link(let key) = value {
        // The target's cursor makes instances of `Element`, a class or an optional class.
        return unsafeBitCast(target.object(key), to: Element.self)
      }
    }
    guard let element = Element._rlmFromStored(value, in: cursor.realm) else {
      throw error("The stored value \(value.text) of \(name) is no \(Element.self).")
    }
    return element
  }

  /// Returns the values that the store holds for elements; adds unmanaged objects.
  func stored<Element: RealmCollectionValue>(_ elements: some Sequence<Element>) throws -> [StoredValue] {
    let realm = cursor.realm
    guard Element._rlmHoldsObject, let target else { return elements.map { $0._rlmStored(in: realm) } }
    return try elements.map { element in
      // A class or an optional class.
      if let object = unsafeBitCast(element, to: ObjectBase?.self), !target.isClass(of: object) {
        throw Realm.Error.otherClass(object, property, cursor.model)
      }
      return element._rlmStored(in: realm)
    }
  }

  /// Returns the value that finds an element; nil for an object that no element can be: unmanaged or of another store. Adds nothing.
  func search<Element: RealmCollectionValue>(_ element: Element) throws -> StoredValue? {
    if let value = element as? AnyRealmValue { return try value.storedIfKnown(to: host) }
    guard Element._rlmHoldsObject else { return element._rlmStored(in: cursor.realm) }
    guard let object = element as? ObjectBase else { return .null }
    guard let link = try host.knownLink(to: object), link.classID == target?.classID else { return nil }
    return .link(link.key)
  }

  // MARK: - Writing

  /// Runs a change of the store; everything was checked before.
  func write<Result>(_ body: (StoreWriter, ClassID, ColumnID, ObjectKey) throws -> Result) throws -> Result {
    if host.isAnnouncing { host.announcer?.changes(cursor.classID, column, key, in: host.writeNumber) }
    let result = try body(host.openWriter(), cursor.classID, column, key)
    host.noteChange()
    return result
  }

  /// The embedded object that an element is; misuse unless it is a new one (E-65).
  func newEmbedded<Element: RealmCollectionValue>(_ element: Element) throws -> (ObjectBase, _ClassCursor)? {
    guard let object = element._rlmObjcValue as? ObjectBase, let target else { return nil }
    if object.isManaged {
      throw error(
        "\(target.model.name) is embedded and already has a parent; copy it with \(target.model.name)(value:).")
    }
    guard target.isClass(of: object) else { throw Realm.Error.otherClass(object, property, cursor.model) }
    return (object, target)
  }
}

extension StoredValue {
  fileprivate var linkedKey: ObjectKey? { if case .link(let key) = self { key } else { nil } }
}
