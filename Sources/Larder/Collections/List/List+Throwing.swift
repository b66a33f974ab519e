import Foundation

/// The throwing forms of what lists do.
extension Throwing {
  /// The element at a position; throws when there is none, or when the list's owner was deleted.
  public subscript<Element>(position: Int) -> Element where Base == List<Element> {
    get throws(Realm.Error) { try orRealmError { try base.element(at: position) } }
  }

  /// `List.append(_:)` that throws.
  public func append<Element>(_ object: Element) throws(Realm.Error) where Base == List<Element> {
    try orRealmError { try base.insertVerified([object], at: nil) }
  }

  /// `List.append(objectsIn:)` that throws.
  public func append<Element, S>(objectsIn objects: S) throws(Realm.Error)
  where Base == List<Element>, S: Sequence, S.Element == Element {
    try orRealmError { try base.insertVerified(verifiedElements(objects), at: nil) }
  }

  /// `List.insert(_:at:)` that throws.
  public func insert<Element>(_ object: Element, at index: Int) throws(Realm.Error) where Base == List<Element> {
    try orRealmError { try base.insertVerified([object], at: index) }
  }

  /// `List.insert(contentsOf:at:)` that throws.
  public func insert<Element, C>(contentsOf newElements: C, at i: Int) throws(Realm.Error)
  where Base == List<Element>, C: Collection, C.Element == Element {
    try orRealmError { try base.insertVerified(verifiedElements(newElements), at: i) }
  }

  /// `List.remove(at:)` that throws.
  public func remove<Element>(at index: Int) throws(Realm.Error) where Base == List<Element> {
    try orRealmError { try base.removeElement(at: index) }
  }

  /// `List.removeFirst(_:)` that throws.
  public func removeFirst<Element>(_ number: Int = 1) throws(Realm.Error) where Base == List<Element> {
    try orRealmError { try base.removeElements(number, atEnd: false) }
  }

  /// `List.removeLast(_:)` that throws.
  public func removeLast<Element>(_ number: Int = 1) throws(Realm.Error) where Base == List<Element> {
    try orRealmError { try base.removeElements(number, atEnd: true) }
  }

  /// `List.removeAll()` that throws.
  public func removeAll<Element>() throws(Realm.Error) where Base == List<Element> {
    try orRealmError { try base.removeAllElements() }
  }

  /// `List.removeSubrange(_:)` that throws.
  public func removeSubrange<Element, R>(_ boundsExpression: R) throws(Realm.Error)
  where Base == List<Element>, R: RangeExpression, R.Bound == Int {
    try orRealmError { try base.removeElements(base.verified(boundsExpression)) }
  }

  /// `List.remove(atOffsets:)` that throws.
  public func remove<Element>(atOffsets offsets: IndexSet) throws(Realm.Error) where Base == List<Element> {
    try orRealmError { try base.removeElements(atOffsets: offsets) }
  }

  /// `List.replace(index:object:)` that throws.
  public func replace<Element>(index: Int, object: Element) throws(Realm.Error) where Base == List<Element> {
    try orRealmError {
      try base.verifyPosition(index)
      try base.location?.verifyElements(CollectionOfOne(object))
      try base.replaceElement(at: index, with: object)
    }
  }

  /// `List.replaceSubrange(_:with:)` that throws.
  public func replaceSubrange<Element, C, R>(_ subrange: R, with newElements: C) throws(Realm.Error)
  where Base == List<Element>, C: Collection, C.Element == Element, R: RangeExpression, R.Bound == Int {
    try orRealmError {
      let range = try base.verified(subrange)
      let elements = try verifiedElements(newElements)
      try base.location?.verifyElements(elements)
      try base.replaceElements(range, with: elements)
    }
  }

  /// `List.move(from:to:)` that throws.
  public func move<Element>(from: Int, to: Int) throws(Realm.Error) where Base == List<Element> {
    try orRealmError { try base.moveElement(from: from, to: to) }
  }

  /// `List.move(fromOffsets:toOffset:)` that throws.
  public func move<Element>(fromOffsets offsets: IndexSet, toOffset destination: Int) throws(Realm.Error)
  where Base == List<Element> {
    try orRealmError { try base.moveElements(fromOffsets: offsets, toOffset: destination) }
  }

  /// `List.swapAt(_:_:)` that throws.
  public func swapAt<Element>(_ index1: Int, _ index2: Int) throws(Realm.Error) where Base == List<Element> {
    try orRealmError { try base.swapElements(index1, index2) }
  }
}

extension List {
  /// Inserts, at the end without a position, after everything was checked.
  fileprivate func insertVerified(_ elements: [Element], at position: Int?) throws {
    let count = try elementCount()
    let position = position ?? count
    guard position >= 0, position <= count else { throw Realm.Error.outOfBounds(position, count, location) }
    try location?.verifyElements(elements)
    try insertElements(elements, at: position)
  }
}
