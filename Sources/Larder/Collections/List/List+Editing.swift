import Foundation
import LarderStorage

/// The cores of all changes: they check everything first, and throw what is wrong.
extension List {
  /// The place to write to, checked; nil for an unmanaged list.
  private func writable() throws -> CollectionLocation? {
    try location?.verifyWritable()
    return location
  }

  /// Throws unless an element is at a position (E-80).
  func verifyPosition(_ position: Int) throws {
    let count = try elementCount()
    guard position >= 0, position < count else { throw outOfBounds(position, count) }
  }

  func outOfBounds(_ position: Int, _ count: Int) -> Realm.Error {
    .outOfBounds(position, count, location)
  }

  /// The positions of a range expression; throws when some are outside (E-80).
  func verified<R>(_ expression: R) throws -> Range<Int> where R: RangeExpression, R.Bound == Int {
    let count = try elementCount()
    let bounds: (lower: Int, upper: Int)
    // The standard library ends the process for half-open expressions that begin after the end.
    switch expression {
    case let range as PartialRangeFrom<Int>: bounds = (range.lowerBound, Swift.max(count, range.lowerBound))
    case let range as PartialRangeUpTo<Int>: bounds = (Swift.min(0, range.upperBound), range.upperBound)
    case let range as PartialRangeThrough<Int>: bounds = (Swift.min(0, range.upperBound), range.upperBound &+ 1)
    default:
      let range = expression.relative(to: AnyPositions(endIndex: count))
      bounds = (range.lowerBound, range.upperBound)
    }
    guard bounds.lower >= 0, bounds.lower <= bounds.upper, bounds.upper <= count else {
      throw Realm.Error.invalid("The range \(expression) is out of bounds (count \(count)).")
    }
    return bounds.lower..<bounds.upper
  }

  func insertElements(_ elements: [Element], at position: Int) throws {
    let place = try writable()
    let count = try elementCount()
    guard position >= 0, position <= count else { throw outOfBounds(position, count) }
    guard let place else { return unmanaged.insert(contentsOf: elements, at: position) }
    try place.insert(elements, at: position)
  }

  func removeElement(at position: Int) throws {
    try verifyPosition(position)
    try removeElements(position..<position + 1)
  }

  func removeElements(_ range: Range<Int>) throws {
    guard let place = try writable() else { return unmanaged.removeSubrange(range) }
    try place.remove(range)
  }

  /// Removes a number of elements at one end (E-81).
  func removeElements(_ number: Int, atEnd: Bool) throws {
    let count = try elementCount()
    guard number >= 0, number <= count else {
      throw Realm.Error.invalid("Cannot remove \(number) of \(count) elements.")
    }
    try removeElements(atEnd ? count - number..<count : 0..<number)
  }

  func removeElements(atOffsets offsets: IndexSet) throws {
    if let last = offsets.last { try verifyPosition(last) }
    for range in offsets.rangeView.reversed() { try removeElements(range) }
  }

  func removeAllElements() throws {
    guard let place = try writable() else { return unmanaged.removeAll() }
    try place.clearList()
  }

  func replaceElement(at position: Int, with element: Element) throws {
    try verifyPosition(position)
    guard let place = try writable() else { return unmanaged[position] = element }
    try place.replace(at: position, element)
  }

  func replaceElements(_ range: Range<Int>, with elements: [Element]) throws {
    guard let place = try writable() else { return unmanaged.replaceSubrange(range, with: elements) }
    try place.remove(range)
    try place.insert(elements, at: range.lowerBound)
  }

  func moveElement(from source: Int, to position: Int) throws {
    try verifyPosition(source)
    try verifyPosition(position)
    guard let place = try writable() else {
      return unmanaged.insert(unmanaged.remove(at: source), at: position)
    }
    if source != position { try place.move(from: source, to: position) }
  }

  func moveElements(fromOffsets offsets: IndexSet, toOffset destination: Int) throws {
    let count = try elementCount()
    guard destination >= 0, destination <= count else { throw outOfBounds(destination, count) }
    if let last = offsets.last { try verifyPosition(last) }
    let before = offsets.filter { $0 < destination }
    let after = offsets.filter { $0 >= destination }
    for (moved, offset) in before.enumerated() { try moveElement(from: offset - moved, to: destination - 1) }
    for (moved, offset) in after.enumerated() where offset != destination + moved {
      try moveElement(from: offset, to: destination + moved)
    }
  }

  func swapElements(_ first: Int, _ second: Int) throws {
    try verifyPosition(first)
    try verifyPosition(second)
    guard try writable() != nil else { return unmanaged.swapAt(first, second) }
    let (low, high) = (Swift.min(first, second), Swift.max(first, second))
    try moveElement(from: high, to: low)
    if high - low > 1 { try moveElement(from: low + 1, to: high) }
  }

  /// Replaces the contents; index by index under `.modified` (O-45).
  func setContents(_ elements: [Element], policy: Realm.UpdatePolicy) throws {
    guard let place = try writable() else {
      unmanaged = elements
      return
    }
    guard policy == .modified else { return try place.assign(elements) }
    if let target = place.target {
      _ = try merge(elements, place, target, place.host.maker(policy))
    } else {
      try merge(place.stored(elements), place)
    }
  }
}

/// Positions without checks, for range expressions to be taken relative to.
private struct AnyPositions: RandomAccessCollection {
  let startIndex = 0
  let endIndex: Int
  subscript(position: Int) -> Int { position }
  func index(after i: Int) -> Int { i &+ 1 }
  func index(before i: Int) -> Int { i &- 1 }
}

extension Realm.Error {
  /// E-80.
  static func outOfBounds(_ position: Int, _ count: Int, _ location: CollectionLocation?) -> Realm.Error {
    .invalid(
      "Index \(position) is out of bounds (count \(count)).", className: location?.cursor.model.name,
      propertyName: location?.property.name)
  }
}
