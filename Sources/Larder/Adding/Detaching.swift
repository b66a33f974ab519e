import Foundation
import LarderStorage

extension HasThrowingForms where Self: ObjectBase {
  /// An unmanaged copy with everything the object leads to: plain memory, for any thread, unaffected by the Realm.
  ///
  /// `depth` is how many links it follows: 0 for the object alone, nil for all. Embedded objects belong to their owner and always
  /// come along. What is out of reach is left out: a link is nil, a collection shorter. Objects that are reached twice, or that
  /// lead back, are copied once, so the copies lead to one another as the objects do. A deleted object is misuse.
  ///
  /// On the Realm's thread. Costs about one boxed value per property of each object copied. The copy shares nothing with anything
  /// else, so it can be sent to another task or actor, also as a part of what `Realm.read` returns.
  ///
  /// ```swift
  /// let copy = person.detached(depth: 1)
  /// ```
  ///
  /// `throwing.detached` throws instead of misuse.
  public func detached(depth: Int? = nil) -> sending Self {
    // Made by this call alone.
    nonisolated(unsafe) let copy = orMisuse { try Detaching.copy(of: self, depth ?? .max) }
    return copy
  }
}

extension RealmCollection where Element: ObjectBase {
  /// Unmanaged copies of the elements, as `detached(depth:)` of an object makes them; objects that several lead to are copied once.
  ///
  /// On the Realm's thread; reads all elements. The copies can be sent to another task or actor together. Beyond RealmSwift.
  public func detached(depth: Int? = nil) -> sending [Element] {
    nonisolated(unsafe) let copies = orMisuse { try Detaching.copies(of: Array(self), depth ?? .max) }
    return copies
  }
}

extension Throwing where Base: ObjectBase {
  /// `detached(depth:)` that throws for a deleted object, and for a stored value that is none of its property's type.
  public func detached(depth: Int? = nil) throws(Realm.Error) -> sending Base {
    nonisolated(unsafe) let copy = try orRealmError { try Detaching.copy(of: base, depth ?? .max) }
    return copy
  }
}

/// Copies a graph of objects level by level, so that each object is copied at its least distance.
struct Detaching {
  /// Rows, and unmanaged instances.
  private enum Identity: Hashable {
    case row(ObjectIdentifier, ClassID, ObjectKey)
    case instance(ObjectIdentifier)
  }

  private var copies: [Identity: ObjectBase] = [:]
  /// The Realm whose objects are linked to instead of copied, unless they are embedded; nil to copy all.
  private let keeping: ObjectHost?
  private var waiting: [(source: ObjectBase, copy: ObjectBase, depth: Int)] = []

  static func copy<T: ObjectBase>(of object: T, _ depth: Int) throws -> T {
    let copies = try copies(of: [object], depth)
    guard let copy = copies.first else { throw Realm.Error.invalid("\(T.self) cannot be copied.") }
    return copy
  }

  static func copies<T: ObjectBase>(of objects: [T], _ depth: Int) throws -> [T] {
    var detaching = Detaching()
    let results = try objects.map { object in
      guard !object.model.isDynamic else { throw Realm.Error.noCopy(object.model) }
      return try detaching.copy(of: object, at: Swift.max(0, depth))
    }
    try detaching.fillWaiting()
    return try results.map { result in
      guard let result = result as? T else { throw Realm.Error.invalid("\(T.self) cannot be copied.") }
      return result
    }
  }

  init(keeping: ObjectHost? = nil) { self.keeping = keeping }

  /// Says which object is the copy of an unmanaged one.
  mutating func note(_ source: ObjectBase, is copy: ObjectBase) { copies[.instance(ObjectIdentifier(source))] = copy }

  /// A copy with everything the object leads to.
  mutating func copyAll(of object: ObjectBase) throws -> ObjectBase {
    let result = try copy(of: object, at: .max)
    try fillWaiting()
    return result
  }

  private mutating func fillWaiting() throws {
    var next = 0
    while next < waiting.count {
      let (source, copy, depth) = waiting[next]
      next += 1
      try fill(copy, from: source, depth)
    }
    waiting = []
  }

  private mutating func copy(of object: ObjectBase, at depth: Int) throws -> ObjectBase {
    if let keeping, object.host === keeping, !object.model.isEmbedded {
      return object.cursorReference?.typed?.object(object._objectKey) ?? object
    }
    let identity: Identity =
      object.cursorReference.map { .row(ObjectIdentifier($0.host), $0.classID, object._objectKey) }
      ?? .instance(ObjectIdentifier(object))
    if let known = copies[identity] { return known }
    let made = DeclaredDefaults.deferred { object.model.type.init() }
    // In input, each place that names an embedded object gets one of its own.
    if keeping == nil || !object.model.isEmbedded { copies[identity] = made }
    // An embedded object is part of its owner: what it leads to is as near as what the owner leads to.
    if object.model.isEmbedded {
      try fill(made, from: object, depth)
      return made
    }
    waiting.append((object, made, depth))
    return made
  }

  private mutating func fill(_ copy: ObjectBase, from source: ObjectBase, _ depth: Int) throws {
    for property in source.model.properties {
      if !source.isManaged, property.kind != .none, !property.accessor.isAssigned(source.address) { continue }
      var value = try source.verifiedValue(property)
      if property.kind != .none { try (value as? any LocatedContents)?.verifyElements() }
      if property.isObject { value = try linked(value, property, depth) }
      if property.type == .any { value = try anyValue(value, property.kind, depth) }
      guard property.accessor.set(value, copy.address) else {
        throw Realm.Error.invalid(
          ValueConverter.mismatch(value, property, in: source.model), className: source.model.name,
          propertyName: property.name)
      }
      // The log tells defaults from what was assigned (L-16).
      if !source.isManaged, !property.accessor.isAssigned(source.address) {
        property.accessor.markDefaulted(copy.address)
      }
    }
  }

  /// A value of any type, or a collection of them, with copies of what they lead to.
  private mutating func anyValue(_ value: Any, _ kind: CollectionKind, _ depth: Int) throws -> Any {
    switch kind {
    case .none: return try detached(value, depth)
    case .list, .set:
      return try (value as? any ManagedCollection)?.boxedElements().map { try detached($0, depth) as Any } ?? [Any]()
    case .map:
      return try (value as? any KeyedContents)?.copy { try detached($0, depth) } ?? value
    }
  }

  private mutating func detached(_ value: Any, _ depth: Int) throws -> AnyRealmValue {
    let value = value as? AnyRealmValue ?? AnyRealmValue._rlmFromObjc(value, insideOptional: false) ?? .none
    switch value {
    case .object(let object):
      // A class without a Swift class has no unmanaged objects.
      guard depth > 0, !object.model.isDynamic else { return .none }
      return try (copy(of: object, at: depth - 1) as? Object).map { .object($0) } ?? .none
    case .list(let list): return .fromArray(try list.map { try detached($0, depth) })
    case .dictionary(let map):
      return (try map.copy { try detached($0, depth) } as? Map<String, AnyRealmValue>).map { .dictionary($0) } ?? .none
    default: return value
    }
  }

  /// The copies of what a property leads to.
  private mutating func linked(_ value: Any, _ property: ModelProperty, _ depth: Int) throws -> Any {
    if ValueConverter.isNil(value) { return NSNull() }
    guard property.isEmbedded || depth > 0 else {
      return property.kind == .none ? NSNull() : property.kind == .map ? [String: Any]() as Any : [Any]()
    }
    let below = property.isEmbedded ? depth : depth - 1
    if let object = value as? ObjectBase { return try copy(of: object, at: below) }
    if let map = value as? any KeyedContents {
      return try map.copy { value in
        guard let object = value as? ObjectBase else { return value }
        return try copy(of: object, at: below)
      } ?? value
    }
    guard let collection = value as? any ManagedCollection else { return value }
    return try collection.boxedElements().map { element in
      guard let object = element as? ObjectBase else { return element }
      return try copy(of: object, at: below)
    }
  }
}
