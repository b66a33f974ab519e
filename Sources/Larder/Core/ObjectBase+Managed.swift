import Foundation
import LarderStorage

extension ObjectBase {
  /// Start of the instance's memory, for reaching wrappers at their offsets.
  @inline(__always)
  final var address: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  final var isManaged: Bool { cursorReference != nil }

  /// The class's properties.
  final var model: ModelClass { cursorReference?.model ?? ModelClass.of(type(of: self)) }

  /// True if the row can be read: the object is managed, not deleted, and its Realm was not invalidated.
  final var isAccessible: Bool {
    guard let cursor = cursorReference, !isDetached else { return false }
    if _tag >> 32 == UInt64(cursor.host.generation), !cursor.host.isWriting { return true }
    return cursor.isLive(self)
  }

  /// Returns `isAccessible`, and brings the instance to the version of its Realm, so that it is not looked for again.
  final func isAccessibleNow() -> Bool {
    guard isAccessible, let cursor = cursorReference else { return false }
    if _tag >> 32 != UInt64(cursor.host.generation) { place(cursor) }
    return true
  }

  /// Makes the instance an accessor of a row. The wrappers are set up by the caller.
  @inline(__always)
  final func attach(_ cursor: _ClassCursor, _ key: ObjectKey) {
    host = cursor.host
    cursorReference = cursor
    _states = cursor.states
    _objectKey = key
    validity = cursor.host.validity
    place(cursor)
  }

  /// Makes an accessor one of another row of the same class and Realm.
  @inline(__always)
  final func move(to key: ObjectKey, _ cursor: _ClassCursor, cluster: UInt64, slot: Int) {
    _objectKey = key
    validity = cursor.host.validity
    _slot = slot
    _tag = UInt64(cursor.host.generation) << 32 | cluster
  }

  /// Makes the accessor invalid for good: its row was deleted through it.
  final func detach() {
    isDetached = true
    _tag = _ColumnState.invalid - 1
  }

  /// Finds cluster and slot and says that the object is current.
  @inline(__always)
  final func place(_ cursor: _ClassCursor) {
    let (cluster, slot) = cursor.locate(_objectKey)
    _slot = slot
    _tag = UInt64(cursor.host.generation) << 32 | cluster
  }

  /// Misuse unless the row can be read here.
  final func checkedCursor() -> _ClassCursor { orMisuse { try verifiedCursor() } }

  /// Throws unless the row can be read here.
  final func verifiedCursor() throws -> _ClassCursor {
    guard let cursor = cursorReference else {
      throw Realm.Error.invalid("\(type(of: self)) is not managed by a Realm.", className: model.name)
    }
    try cursor.host.verifyThread()
    guard !isDetached, cursor.isLive(self) else {
      throw Realm.Error.invalid(deletedMessage, className: model.name)
    }
    if _tag >> 32 != UInt64(cursor.host.generation) { place(cursor) }
    return cursor
  }

  /// True; misuse on another thread, queue or actor than the Realm's.
  @usableFromInline final var _isUsedWhereItLives: Bool {
    cursorReference?.host.checkThread()
    return true
  }

  /// True if the object keeps the collections it hands out. A frozen one is read from many threads, and keeps nothing.
  @usableFromInline final var _keepsCollections: Bool { !(host?.isFrozen ?? false) }

  final var deletedMessage: String {
    "This \(model.name) was deleted or invalidated. Check isInvalidated before using it."
  }

  /// Loads the column's leaf for the object's cluster; false when there is none to read from.
  @usableFromInline @inline(never)
  final func _refill(_ index: Int) -> Bool {
    if let isFilled = cursorReference?.refillAgain(index, self) { return isFilled }
    return checkedCursor().refill(index, self)
  }

  @usableFromInline
  final func _storedValue(_ index: Int) -> (StoredValue, Realm?) {
    let cursor = checkedCursor()
    return (cursor.value(index, _objectKey), cursor.realm)
  }

  @usableFromInline
  final func _reportUnreadable(_ value: StoredValue, _ index: Int) -> Never { misuse("\(unreadable(value, index))") }

  /// The error of a stored value that the property's type cannot show (O-23).
  final func unreadable(_ value: StoredValue, _ index: Int) -> Realm.Error {
    let property = model.properties[index]
    let name = "\(model.name).\(property.name)"
    let message =
      value.isNull
      ? "\(name) holds no value although it is required."
      : "The stored value \(value.text) of \(name) is no \(property.accessor.valueType.map { "\($0)" } ?? "value of its type")."
    return .invalid(message, className: model.name, propertyName: property.name)
  }

  @usableFromInline
  final func _cursorForWriting(_ index: Int) -> _ClassCursor {
    let cursor = orMisuse { try verifiedCursorForWriting(index) }
    if cursor.hasDefaults { cursor.noteAssigned(index, _objectKey) }
    return cursor
  }

  /// Throws unless the property can be changed here and now.
  final func verifiedCursorForWriting(_ index: Int) throws -> _ClassCursor {
    let cursor = try verifiedCursor()
    try cursor.host.verifyWriting { "Change \(cursor.model.propertyName(index)) inside realm.write { }." }
    if index == cursor.primaryKeyIndex, !cursor.host.isMigrating {
      throw Realm.Error.invalid(
        "Primary key \(cursor.model.propertyName(index)) cannot change; delete and recreate the object.",
        className: cursor.model.name, propertyName: cursor.model.properties[index].name)
    }
    return cursor
  }

  final func linkedObject(_ index: Int, _ key: ObjectKey) -> ObjectBase? {
    guard let cursor = cursorReference, let target = cursor.target(index) else { return nil }
    guard orMisuse({ try cursor.host.reader.contains(target.classID, key) }) else { return nil }
    return target.object(key)
  }

  final func isSameRow(as other: ObjectBase) -> Bool {
    guard let mine = cursorReference, let theirs = other.cursorReference else { return false }
    return mine.host === theirs.host && mine.classID == theirs.classID && _objectKey == other._objectKey && !isDetached
      && !other.isDetached
  }
}
