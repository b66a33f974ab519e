import LarderStorage

extension _ClassCursor {
  fileprivate func add(_ delta: StoredValue, _ index: Int, _ key: ObjectKey) {
    // What was the default before is recorded with the addition.
    writing(index, key) { try ValueAssignment(writer: $0).add(classID, $1, key, delta) }
  }
}

/// Adding to numbers, so that what several devices add comes together.
extension HasThrowingForms where Self: ObjectBase {
  /// Adds to a number. In a Realm that is synced, additions that devices make at once all count, where of assignments (`+=` too) the last one
  /// does; in others it is the same as an assignment.
  ///
  /// Needs a write transaction when the object is managed; a sum beyond the type is misuse.
  public func increment(_ property: WritableKeyPath<Self, Int>, by amount: Int) {
    add(.int(Int64(amount)), property) { $0 + amount }
  }

  /// Adds to a number, as `increment(_:by:)` for `Int` does.
  public func increment(_ property: WritableKeyPath<Self, Int64>, by amount: Int64) {
    add(.int(amount), property) { $0 + amount }
  }

  /// Adds to a number, as `increment(_:by:)` for `Int` does.
  public func increment(_ property: WritableKeyPath<Self, Decimal128>, by amount: Decimal128) {
    add(.decimal128(amount.bits), property) { $0 + amount }
  }

  private func add<Value>(_ delta: StoredValue, _ keyPath: WritableKeyPath<Self, Value>, _ sum: (Value) -> Value) {
    guard isManaged else {
      var object = self
      object[keyPath: keyPath] = sum(object[keyPath: keyPath])
      return
    }
    let name = _KeyPathTrace.name(of: keyPath)
    guard let property = model.property(named: name) else {
      misuse("increment(_:by:) takes a key path to a stored property of \(model.name), such as \\.count.")
    }
    _cursorForWriting(property.index).add(delta, property.index, _objectKey)
  }
}
