extension Realm {
  /// Makes an object that is sent to the server and deleted here once the server has confirmed it, from a dictionary, an array in the order of the
  /// properties, or another object (Y-46).
  ///
  /// ```swift
  /// try realm.write { realm.create(Measurement.self, value: ["celsius": 21.5]) }
  /// ```
  ///
  /// It needs no subscription. A server that does not accept it says so in an error `.writeRejected`. Misuse in a local Realm, outside of a write
  /// transaction, for values that do not fit, and for the primary key of an object that still waits; `realm.throwing.create` throws instead. On the
  /// Realm's thread.
  public func create<T>(_ type: T.Type, value: Any = [String: Any]()) where T: AsymmetricObject {
    orMisuse { try core.createSent(type, value, isPlanned: false) }
  }
}

extension Throwing<Realm> {
  /// `Realm.create(_:value:)` of an object that is only sent, throwing: in a local Realm, for the primary key of one that still waits, and for values
  /// that do not fit, however deep (Y-46).
  public func create<T>(_ type: T.Type, value: Any = [String: Any]()) throws(Realm.Error) where T: AsymmetricObject {
    try orRealmError { try base.core.createSent(type, value, isPlanned: true) }
  }
}

extension RealmCore {
  fileprivate func createSent<T: AsymmetricObject>(_ type: T.Type, _ value: Any, isPlanned: Bool) throws {
    try verifyThread()
    guard configuration.syncConfiguration != nil else {
      throw Realm.Error.invalid(
        "\(T.className()) is asymmetric: such objects need a sync service and cannot be created in a local Realm.",
        className: T.className())
    }
    let _: T = try create(value, in: verifiedCursor(for: type), .error, isPlanned: isPlanned)
  }
}
