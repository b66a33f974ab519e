/// The throwing forms of what sets do.
extension Throwing {
  /// The element at a position; throws when there is none, or when the set's owner was deleted.
  public subscript<Element>(position: Int) -> Element where Base == MutableSet<Element> {
    get throws(Realm.Error) { try orRealmError { try base.element(at: position) } }
  }

  public func contains<Element>(_ object: Element) throws(Realm.Error) -> Bool where Base == MutableSet<Element> {
    try orRealmError { try base.hasElement(object) }
  }

  public func insert<Element>(_ object: Element) throws(Realm.Error) where Base == MutableSet<Element> {
    try orRealmError {
      try base.location?.verifyElements(CollectionOfOne(object))
      try base.insertElements(CollectionOfOne(object))
    }
  }

  public func insert<Element, S>(objectsIn objects: S) throws(Realm.Error)
  where Base == MutableSet<Element>, S: Sequence, S.Element == Element {
    try orRealmError {
      let elements = try verifiedElements(objects)
      try base.location?.verifyElements(elements)
      try base.insertElements(elements)
    }
  }

  public func remove<Element>(_ object: Element) throws(Realm.Error) where Base == MutableSet<Element> {
    try orRealmError { try base.removeElement(object) }
  }

  public func removeAll<Element>() throws(Realm.Error) where Base == MutableSet<Element> {
    try orRealmError { try base.removeAllElements() }
  }

  public func isSubset<Element>(of possibleSuperset: MutableSet<Element>) throws(Realm.Error) -> Bool
  where Base == MutableSet<Element> {
    try orRealmError { try base.isContained(in: possibleSuperset) }
  }

  public func intersects<Element>(_ otherSet: MutableSet<Element>) throws(Realm.Error) -> Bool
  where Base == MutableSet<Element> {
    try orRealmError { try base.overlaps(otherSet) }
  }

  public func formIntersection<Element>(_ other: MutableSet<Element>) throws(Realm.Error)
  where Base == MutableSet<Element> {
    try orRealmError { try base.intersect(with: other) }
  }

  public func subtract<Element>(_ other: MutableSet<Element>) throws(Realm.Error) where Base == MutableSet<Element> {
    try orRealmError { try base.subtractElements(of: other) }
  }

  public func formUnion<Element>(_ other: MutableSet<Element>) throws(Realm.Error) where Base == MutableSet<Element> {
    try orRealmError { try base.unite(with: other) }
  }

  public func formSymmetricDifference<Element>(_ other: MutableSet<Element>) throws(Realm.Error)
  where Base == MutableSet<Element> {
    try orRealmError { try base.differ(from: other) }
  }
}
