import Dispatch
import Foundation

/// One property of the objects of a list or set, as a live collection: `person.dogs.projectTo.name`.
///
/// Setting an element writes the property of the object at that position.
public struct ProjectedCollection<Element>: RandomAccessCollection, CustomStringConvertible, ThreadConfined
where Element: RealmCollectionValue {
  private let objects: ProjectedObjects
  private let property: ProjectedProperty<Element>

  public typealias Index = Int
  public typealias Indices = Range<Int>

  fileprivate init(_ objects: ProjectedObjects, _ property: ProjectedProperty<Element>) {
    self.objects = objects
    self.property = property
  }

  /// Position of the first object that satisfies a predicate on the objects' properties.
  public func index(matching predicate: NSPredicate) -> Int? { objects.index(matching: predicate) }

  /// Calls the block when objects come or go, and when the property of one changes.
  public func observe(
    on queue: DispatchQueue?, _ block: @escaping (RealmCollectionChange<ProjectedCollection<Element>>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: nil, on: queue, block)
  }

  /// The same; key paths other than the property itself are those of the objects.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmCollectionChange<ProjectedCollection<Element>>) -> Void
  ) -> NotificationToken {
    let property = property
    return objects.observe(keyPaths: keyPaths ?? [property.name], on: queue) { change in
      block(change.map { ProjectedCollection($0, property) })
    }
  }

  public subscript(position: Int) -> Element {
    get { property.get(objects.object(position)) }
    nonmutating set { property.set(objects.object(position), newValue) }
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { objects.confined.isInvalidated ? 0 : objects.count }
  public var realm: Realm? { objects.confined.realm }
  public var isInvalidated: Bool { objects.confined.isInvalidated }

  public var description: String {
    if isInvalidated { return "ProjectedCollection<\(Element.self)> <invalidated>" }
    let shown = Swift.min(count, 100)
    let lines = (0..<shown).map { "\t[\($0)] \(ObjectDescription.text(of: self[$0], depth: 1))" }
    let rest = count > shown ? "\n\t... \(count - shown) objects skipped." : ""
    return "ProjectedCollection<\(Element.self)> {\n\(lines.joined(separator: ",\n"))\(rest)\n}"
  }

  /// Position of the first equal value, or nil.
  public func index(of object: Element) -> Int? { firstIndex(of: object) }
  public var isFrozen: Bool { objects.confined.isFrozen }
  public func freeze() -> ProjectedCollection<Element> { ProjectedCollection(objects.freeze(), property) }
  public func thaw() -> ProjectedCollection<Element>? {
    objects.thaw().map { ProjectedCollection($0, property) }
  }
}

/// Gives projected collections of the properties of a collection's objects.
@dynamicMemberLookup
public struct CollectionElementMapper<Element> where Element: ObjectBase, Element: RealmCollectionValue {
  private let objects: ProjectedObjects

  init<C>(_ collection: C) where C: RealmCollection & _ObjcBridgeable, C.Element == Element {
    objects = TypedProjectedObjects(collection)
  }

  /// One property of all elements, as a collection.
  public subscript<V>(dynamicMember member: KeyPath<Element, V>) -> ProjectedCollection<V>
  where V: RealmCollectionValue {
    ProjectedCollection(objects, ProjectedProperty(member))
  }
}

extension List where Element: ObjectBase {
  /// The properties of the elements, each as a collection: `list.projectTo.name`.
  public var projectTo: CollectionElementMapper<Element> { CollectionElementMapper(self) }
}

extension MutableSet where Element: ObjectBase {
  /// The properties of the elements, each as a collection: `set.projectTo.name`.
  public var projectTo: CollectionElementMapper<Element> { CollectionElementMapper(self) }
}

/// The access of a projected collection to a property of its objects.
private struct ProjectedProperty<Value: RealmCollectionValue> {
  let name: String
  let get: (ObjectBase) -> Value
  let set: (ObjectBase, Value) -> Void

  init<Root: ObjectBase>(_ keyPath: KeyPath<Root, Value>) {
    func root(_ object: ObjectBase) -> Root {
      guard let root = object as? Root else { misuse("\(object.model.name) is no \(Root.self).") }
      return root
    }
    let name = _name(for: keyPath)
    self.name = name
    get = { root($0)[keyPath: keyPath] }
    if let writable = keyPath as? ReferenceWritableKeyPath<Root, Value> {
      set = { root($0)[keyPath: writable] = $1 }
    } else {
      set = { $0.setValue($1._rlmObjcValue, forKeyPath: name) }
    }
  }
}

/// The objects that a projected collection goes over, whatever their class.
private class ProjectedObjects {
  private func missing() -> Never { misuse("Projected objects do not say how to do this.") }

  var confined: any ThreadConfined { missing() }
  var count: Int { missing() }
  func object(_ position: Int) -> ObjectBase { missing() }
  func index(matching predicate: NSPredicate) -> Int? { missing() }
  func observe(
    keyPaths: [String], on queue: DispatchQueue?, _ block: @escaping (RealmCollectionChange<ProjectedObjects>) -> Void
  ) -> NotificationToken { missing() }
  func freeze() -> ProjectedObjects { missing() }
  func thaw() -> ProjectedObjects? { missing() }
}

private final class TypedProjectedObjects<C>: ProjectedObjects
where C: RealmCollection & _ObjcBridgeable, C.Element: ObjectBase {
  private let collection: AnyRealmCollection<C.Element>

  init(_ collection: C) { self.collection = AnyRealmCollection(collection) }

  override var confined: any ThreadConfined { collection }
  override var count: Int { collection.count }
  override func object(_ position: Int) -> ObjectBase { collection[position] }
  override func index(matching predicate: NSPredicate) -> Int? { collection.index(matching: predicate) }

  override func observe(
    keyPaths: [String], on queue: DispatchQueue?, _ block: @escaping (RealmCollectionChange<ProjectedObjects>) -> Void
  ) -> NotificationToken {
    collection.observe(keyPaths: keyPaths, on: queue) { change in block(change.map { ProjectedObjects.made($0) }) }
  }

  override func freeze() -> ProjectedObjects { .made(collection.freeze()) }
  override func thaw() -> ProjectedObjects? { collection.thaw().map { .made($0) } }
}

extension ProjectedObjects {
  fileprivate static func made<Element: ObjectBase>(_ collection: AnyRealmCollection<Element>) -> ProjectedObjects {
    TypedProjectedObjects(collection)
  }
}
