import LarderStorage

extension Object: MovableBetweenRealms {
  func moved(to host: ObjectHost) -> Self? { host.counterpart(of: self) }
  func passage() -> Passage { ObjectHost.passage(to: self) }
}

extension EmbeddedObject: MovableBetweenRealms {
  func moved(to host: ObjectHost) -> Self? { host.counterpart(of: self) }
  func passage() -> Passage { ObjectHost.passage(to: self) }
}

extension ObjectHost {
  /// This Realm's accessor of an object's row; nil for an unmanaged object, and when the row is deleted.
  ///
  /// A method, so that the Realm lives until the accessor holds it.
  final func counterpart<T: ObjectBase>(of object: T) -> T? {
    guard let theirs = object.cursorReference else { return nil }
    return cursor(like: theirs).objectIfPresent(object._objectKey) as? T
  }

  /// The way to an object's row in any Realm of its store.
  static func passage<T: ObjectBase & ThreadConfined>(to object: T) -> Passage {
    guard let model = object.cursorReference?.model else { return { _ in nil } }
    let key = object._objectKey
    return { $0.cursor(of: model).objectIfPresent(key) as? T }
  }
}
