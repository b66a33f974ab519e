/// The indexes of a commit's objects in the order in which it names them first. A value.
///
/// Most commits name few objects, which are compared one by one. With more of them a dictionary is made, so that finding one costs the same
/// however many there are.
struct TouchedIndexes: Sendable {
  private var names: [ObjectName] = []
  private var numbers: [ObjectName: Int] = [:]
  /// The number of names that were compared or looked up.
  private(set) var work = 0

  private static let few = 8

  /// The index of an object, which is the next one for one that was not named before.
  mutating func index(of object: ObjectName) -> Int {
    if let index = known(object) { return index }
    let index = names.count
    names.append(object)
    if names.count > Self.few {
      if numbers.isEmpty { numbers = Dictionary(zip(names.dropLast(), 0...)) { first, _ in first } }
      numbers[object] = index
    }
    return index
  }

  private mutating func known(_ object: ObjectName) -> Int? {
    // Operations of one object often follow one another.
    work += 1
    if let last = names.last, last == object { return names.count - 1 }
    guard names.count <= Self.few else {
      work += 1
      return numbers[object]
    }
    work += names.count
    return names.firstIndex(of: object)
  }
}
