// The methods that take the place of their caller, without it: what a program gets that passes one of them on as a function, as in
// `dogs.forEach(realm.delete)`. Calls prefer the others, so that the message of a misuse names the place (F-39).
extension Realm {
  /// `add(_:update:)` as a function to pass on; the message of a misuse does not name the caller.
  @_disfavoredOverload
  public func add(_ object: Object, update: Realm.UpdatePolicy) { add(object, update: update, file: "", line: 0) }

  /// `add(_:update:)` as a function to pass on; the message of a misuse does not name the caller.
  @_disfavoredOverload
  public func add<S>(_ objects: S, update: Realm.UpdatePolicy) where S: Sequence, S.Element: Object {
    add(objects, update: update, file: "", line: 0)
  }

  /// `create(_:value:update:)` as a function to pass on; the message of a misuse does not name the caller.
  @_disfavoredOverload
  @discardableResult
  public func create<T>(_ type: T.Type, value: Any, update: Realm.UpdatePolicy) -> T where T: Object {
    create(type, value: value, update: update, file: "", line: 0)
  }

  /// `delete(_:)` as a function to pass on; the message of a misuse does not name the caller.
  @_disfavoredOverload
  public func delete(_ object: ObjectBase) { delete(object, file: "", line: 0) }

  /// `delete(_:)` as a function to pass on; the message of a misuse does not name the caller.
  @_disfavoredOverload
  public func delete<S>(_ objects: S) where S: Sequence, S.Element: ObjectBase { delete(objects, file: "", line: 0) }

  /// `delete(_:)` as a function to pass on; the message of a misuse does not name the caller.
  @_disfavoredOverload
  public func delete<Element>(_ objects: List<Element>) where Element: ObjectBase { delete(objects, file: "", line: 0) }

  /// `delete(_:)` as a function to pass on; the message of a misuse does not name the caller.
  @_disfavoredOverload
  public func delete<Key, Value>(_ map: Map<Key, Value?>) where Key: _MapKey, Value: ObjectBase {
    delete(map, file: "", line: 0)
  }

  /// `delete(_:)` as a function to pass on; the message of a misuse does not name the caller.
  @_disfavoredOverload
  public func delete<Element>(_ objects: MutableSet<Element>) where Element: ObjectBase {
    delete(objects, file: "", line: 0)
  }

  /// `delete(_:)` as a function to pass on; the message of a misuse does not name the caller.
  @_disfavoredOverload
  public func delete<Element>(_ objects: Results<Element>) where Element: ObjectBase {
    delete(objects, file: "", line: 0)
  }

  /// `objects(_:)` as a function to pass on; the message of a misuse does not name the caller.
  @_disfavoredOverload
  public func objects<Element>(_ type: Element.Type) -> Results<Element> where Element: RealmFetchable {
    objects(type, file: "", line: 0)
  }

  /// `object(ofType:forPrimaryKey:)` as a function to pass on; the message of a misuse does not name the caller.
  @_disfavoredOverload
  public func object<Element, KeyType>(ofType type: Element.Type, forPrimaryKey key: KeyType) -> Element?
  where Element: Object {
    object(ofType: type, forPrimaryKey: key, file: "", line: 0)
  }

  /// `dynamicObjects(_:)` as a function to pass on; the message of a misuse does not name the caller.
  @_disfavoredOverload
  public func dynamicObjects(_ typeName: String) -> Results<DynamicObject> {
    dynamicObjects(typeName, file: "", line: 0)
  }

  /// `dynamicObject(ofType:forPrimaryKey:)` as a function to pass on; the message of a misuse does not name the caller.
  @_disfavoredOverload
  public func dynamicObject(ofType typeName: String, forPrimaryKey key: Any) -> DynamicObject? {
    dynamicObject(ofType: typeName, forPrimaryKey: key, file: "", line: 0)
  }

  /// `dynamicCreate(_:value:update:)` as a function to pass on; the message of a misuse does not name the caller.
  @_disfavoredOverload
  @discardableResult
  public func dynamicCreate(_ typeName: String, value: Any, update: Realm.UpdatePolicy) -> DynamicObject {
    dynamicCreate(typeName, value: value, update: update, file: "", line: 0)
  }
}
