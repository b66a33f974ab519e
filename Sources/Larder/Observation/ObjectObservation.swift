import Dispatch
import Foundation
import LarderObservation
import LarderStorage

extension Object {
  /// Calls the block when properties of the object change, and when it is deleted.
  ///
  /// ```swift
  /// let objectToken = person.observe { (change: ObjectChange<Person>) in
  ///   if case .change(_, let properties) = change { print(properties.map(\.name)) }
  /// }
  /// ```
  ///
  /// Misuse for an unmanaged, deleted or frozen object. Called where the object's Realm is used, on its thread, or on `queue`. Costs next to
  /// nothing between changes of the object.
  public func observe<T>(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil, _ block: @escaping (ObjectChange<T>) -> Void
  ) -> NotificationToken where T: ObjectBase {
    ObjectObservation.observe(self, keyPaths, queue) { block($0.change) }
  }

  /// The same for properties by key paths of Swift.
  public func observe<T>(
    keyPaths: [PartialKeyPath<T>], on queue: DispatchQueue? = nil, _ block: @escaping (ObjectChange<T>) -> Void
  ) -> NotificationToken where T: ObjectBase {
    ObjectObservation.observe(self, keyPaths.map { _name(for: $0) }, queue) { block($0.change) }
  }
}

extension EmbeddedObject {
  /// Calls the block when properties of the embedded object change, and when it is deleted.
  public func observe<T>(
    on queue: DispatchQueue? = nil, _ block: @escaping (ObjectChange<T>) -> Void
  ) -> NotificationToken where T: ObjectBase {
    ObjectObservation.observe(self, nil, queue) { block($0.change) }
  }
}

/// The change that an observer of an object is notified of, with the details that a view of the object needs.
struct ObjectNews<T: ObjectBase> {
  let change: ObjectChange<T>
  /// Of an observer of paths: those that led to a change.
  var paths: [DependencyPath] = []
  /// The object as it was at the previous call; nil after a commit of the observing Realm itself (N-42).
  var previous: () -> T? = { nil }
}

enum ObjectObservation {
  static func observe<T: ObjectBase>(
    _ object: ObjectBase, _ keyPaths: [String]?, _ queue: DispatchQueue?,
    _ block: @escaping (ObjectNews<T>) -> Void
  ) -> NotificationToken {
    let cursor = observable(object)
    let token = ObservationToken()
    if let queue {
      let key = object._objectKey
      CollectionObservation.move(cursor.host.core, queue) { core, start in
        let target = core.cursor(like: cursor)
        // It may be deleted by now: that is reported, as is everything else since the call.
        register(token, target.objectOrGone(key), target, keyPaths, from: start, block)
      }
    } else {
      register(token, object, cursor, keyPaths, block)
    }
    return token
  }

  /// Returns a function that registers an observer of an object with another Realm, where the object may be deleted by then: that is reported, as
  /// is everything else since this call.
  static func moving<T: ObjectBase>(
    _ object: ObjectBase, _ keyPaths: [String]?
  ) -> (RealmCore, @escaping (ObjectNews<T>) -> Void) -> NotificationToken {
    let cursor = observable(object)
    let (key, start, files) = (object._objectKey, cursor.host.core.currentSnapshot(), cursor.host.core.files)
    return { core, block in
      core.catchUp(withAtLeast: start)
      let token = ObservationToken()
      let target = core.cursor(like: cursor)
      register(token, target.objectOrGone(key), target, keyPaths, from: start, block)
      withExtendedLifetime(files) {}
      return token
    }
  }

  private static func register<T: ObjectBase>(
    _ token: ObservationToken, _ object: ObjectBase, _ cursor: _ClassCursor, _ keyPaths: [String]?,
    from start: Snapshot? = nil, _ block: @escaping (ObjectNews<T>) -> Void
  ) {
    let key = object._objectKey
    var current = object
    CollectionObservation.activate(token, cursor.host.core, subject(object, cursor, keyPaths), from: start) { event in
      if case .deleted = event.change { return block(ObjectNews(change: .deleted)) }
      if case .failed(let error) = event.change { return CollectionObservation.noted(error) ?? () }
      // The row lives, though this accessor of it ended with a write that was cancelled or an invalidated version.
      if !current.isAccessibleNow(), let found = cursor.objectIfPresent(key) { current = found }
      guard let object = current as? T, let change = change(event, object, cursor),
        case .properties(_, let paths) = event.change
      else { return }
      block(ObjectNews(change: change, paths: paths) { previous(key, cursor, event) as? T })
    }
  }

  /// The object as it was at the previous call; nil after a commit of the observing Realm itself (N-42).
  private static func previous(_ key: ObjectKey, _ cursor: _ClassCursor, _ event: ObservationEvent) -> ObjectBase? {
    guard let previous = event.previous, cursor.host.core.lastOwnCommit != event.snapshot.moment else { return nil }
    // The accessor keeps the Realm; nothing else does.
    let frozen = cursor.host.core.frozen(at: previous)
    return withExtendedLifetime(frozen) { frozen.cursor(like: cursor).objectIfPresent(key) }
  }

  /// Returns the cursor of an object's class; misuse when the object cannot be observed.
  static func observable(_ object: ObjectBase) -> _ClassCursor {
    guard object.isManaged else {
      misuse("An unmanaged \(object.model.name) cannot be observed; add it to a Realm first.")
    }
    let cursor = object.checkedCursor()
    cursor.host.core.checkObservable()
    return cursor
  }

  /// Returns the subject that observers of an object observe.
  static func subject(_ object: ObjectBase, _ cursor: _ClassCursor, _ keyPaths: [String]?) -> ObservationSubject {
    let link = ObjectLink(classID: cursor.classID, key: object._objectKey)
    guard let keyPaths, !keyPaths.isEmpty else { return .object(link, scope: .own) }
    return .object(link, scope: .paths(keyPaths.flatMap { ObservedPaths.paths($0, cursor) }))
  }

  /// Returns the change that an observer of an object is notified of; nil for nothing.
  static func change<T: ObjectBase>(_ event: ObservationEvent, _ object: T, _ cursor: _ClassCursor)
    -> ObjectChange<T>?
  {
    guard case .properties(let steps, _) = event.change else { return nil }
    // Columns come before inverses.
    let stored = steps.compactMap { $0.origin == nil ? change($0.column, object, cursor, event) : nil }
    guard let last = steps.last, last.origin != nil else { return .change(object, stored) }
    let inverses = cursor.model.inverses.filter { steps.contains(ObservedPaths.step($0, cursor).0) }
    return .change(object, stored + inverses.map { PropertyChange(name: $0.name, oldValue: nil, newValue: nil) })
  }

  private static func change(
    _ column: ColumnID, _ object: ObjectBase, _ cursor: _ClassCursor, _ event: ObservationEvent
  ) -> PropertyChange? {
    guard let index = cursor.columns.firstIndex(of: column) else { return nil }
    let property = cursor.model.properties[index]
    let value = object.boxedValue(property)
    guard property.kind == .none else { return PropertyChange(name: property.name, oldValue: nil, newValue: value) }
    return PropertyChange(
      name: property.name, oldValue: oldValue(property, cursor, object._objectKey, event),
      newValue: ValueConverter.isNil(value) ? nil : value)
  }

  /// The value at the previous call; nil after a commit of the observing Realm itself (N-42).
  private static func oldValue(
    _ property: ModelProperty, _ cursor: _ClassCursor, _ key: ObjectKey, _ event: ObservationEvent
  ) -> Any? {
    guard let previous = event.previous, cursor.host.core.lastOwnCommit != event.snapshot.moment else { return nil }
    guard let old = try? previous.value(cursor.classID, cursor.columns[property.index], key), !old.isNull else {
      return nil
    }
    if case .link(let key) = old { return cursor.target(property.index)?.objectOrGone(key) }
    if property.type == .any { return AnyRealmValue.earlier(old, cursor.host.core)._rlmObjcValue }
    return property.accessor.boxed(old, in: Realm(cursor.host.core)) ?? old.boxed
  }
}

extension StoredValue {
  /// The value as Swift code knows it; nil for null, links and nested collections.
  var boxed: Any? {
    switch self {
    case .null, .link, .object, .list, .dictionary: nil
    case .bool(let value): value
    case .int(let value): Int(value)
    case .float(let value): value
    case .double(let value): value
    case .string(let value): value
    case .data(let value): value
    case .date(let value): value.date
    case .uuid(let value): value
    case .objectId(let value): ObjectId(value)
    case .decimal128(let value): Decimal128(bits: value)
    }
  }
}
