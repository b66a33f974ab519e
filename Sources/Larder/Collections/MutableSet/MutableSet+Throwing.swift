/// The throwing forms of what sets do.
extension Throwing {
  /// The element at a position; throws when there is none, or when the set's owner was deleted.
  public subscript<Element>(position: Int) -> Element where Base == MutableSet<Element> {
    get throws(Realm.Error) { try orRealmError { try base.element(at: position) } }
  }

  /// `MutableSet.contains(_:)` that throws.
  public func contains<Element>(_ object: Element) throws(Realm.Error) -> Bool where Base == MutableSet<Element> {
    try orRealmError { try base.hasElement(object) }
  }

  /// `MutableSet.insert(_:)` that throws.
  public func insert<Element>(_ object: Element) throws(Realm.Error) where Base == MutableSet<Element> {
    try orRealmError {
      try base.location?.verifyElements(CollectionOfOne(object))
      try base.insertElements(CollectionOfOne(object))
    }
  }

  /// `MutableSet.insert(objectsIn:)` that throws.
  public func insert<Element, S>(objectsIn objects: S) throws(Realm.Error)
  where Base == MutableSet<Element>, S: Sequence, S.Element == Element {
    try orRealmError {
      let elements = try verifiedElements(objects)
      try base.location?.verifyElements(elements)
      try base.insertElements(elements)
    }
  }

  /// `MutableSet.remove(_:)` that throws.
  public func remove<Element>(_ object: Element) throws(Realm.Error) where Base == MutableSet<Element> {
    try orRealmError { try base.removeElement(object) }
  }

  /// `MutableSet.removeAll()` that throws.
  public func removeAll<Element>() throws(Realm.Error) where Base == MutableSet<Element> {
    try orRealmError { try base.removeAllElements() }
  }

  /// `MutableSet.isSubset(of:)` that throws.
  public func isSubset<Element>(of possibleSuperset: MutableSet<Element>) throws(Realm.Error) -> Bool
  where Base == MutableSet<Element> {
    try orRealmError { try base.isContained(in: possibleSuperset) }
  }

  /// `MutableSet.intersects(_:)` that throws.
  public func intersects<Element>(_ otherSet: MutableSet<Element>) throws(Realm.Error) -> Bool
  where Base == MutableSet<Element> {
    try orRealmError { try base.overlaps(otherSet) }
  }

  /// `MutableSet.formIntersection(_:)` that throws.
  public func formIntersection<Element>(_ other: MutableSet<Element>) throws(Realm.Error)
  where Base == MutableSet<Element> {
    try orRealmError { try base.intersect(with: other) }
  }

  /// `MutableSet.subtract(_:)` that throws.
  public func subtract<Element>(_ other: MutableSet<Element>) throws(Realm.Error) where Base == MutableSet<Element> {
    try orRealmError { try base.subtractElements(of: other) }
  }

  /// `MutableSet.formUnion(_:)` that throws.
  public func formUnion<Element>(_ other: MutableSet<Element>) throws(Realm.Error) where Base == MutableSet<Element> {
    try orRealmError { try base.unite(with: other) }
  }

  /// `MutableSet.formSymmetricDifference(_:)` that throws.
  public func formSymmetricDifference<Element>(_ other: MutableSet<Element>) throws(Realm.Error)
  where Base == MutableSet<Element> {
    try orRealmError { try base.differ(from: other) }
  }
}
