import LarderStorage

extension Realm {
  /// All objects of a class of the store, by the class's name; also of classes that have no Swift class: lazy and live.
  ///
  /// A name that the store does not have is misuse (E-59).
  public func dynamicObjects(
    _ typeName: String, file: StaticString = #fileID, line: UInt = #line
  ) -> Results<DynamicObject> {
    CallSite.note(file, line) {
      core.checkThread()
      return Results(ResultsState.all(core.dynamicCursor(typeName)))
    }
  }

  /// The object of a class, by the class's name, that has a primary key, or nil.
  ///
  /// Misuse for a class without a primary key, and for a key of another type (E-58).
  public func dynamicObject(
    ofType typeName: String, forPrimaryKey key: Any, file: StaticString = #fileID, line: UInt = #line
  ) -> DynamicObject? {
    CallSite.note(file, line) {
      core.checkThread()
      let cursor = core.dynamicCursor(typeName)
      return cursor.find(primaryKey: key).flatMap { cursor.object($0) as? DynamicObject }
    }
  }

  /// Makes or updates an object of a class by its name; needs a write transaction.
  ///
  /// The value is what `create(_:value:update:)` takes. A class that has no Swift class gets nil, zero or empty for what the
  /// value leaves out.
  @discardableResult
  public func dynamicCreate(
    _ typeName: String, value: Any = [String: Any](), update: Realm.UpdatePolicy = .error,
    file: StaticString = #fileID, line: UInt = #line
  ) -> DynamicObject {
    CallSite.note(file, line) {
      orMisuse {
        try core.verifyThread()
        return try core.create(value, in: core.verifiedDynamicCursor(typeName), update, isPlanned: false)
      }
    }
  }
}
