import LarderStorage

/// The place of each object among those of its class, in the order of their keys.
final class ObjectPlaces {
  private let reader: any StoreReader
  private var known: [ClassID: [ObjectKey]] = [:]

  init(_ reader: any StoreReader) { self.reader = reader }

  /// The keys of all objects of a class, ascending: eight bytes for each are kept.
  func keys(of classID: ClassID) throws -> [ObjectKey] {
    if let found = known[classID] { return found }
    var keys: [ObjectKey] = []
    try reader.forEachKey(of: classID) {
      keys.append($0)
      return true
    }
    known[classID] = keys
    return keys
  }

  /// The place of an object, from 0; nil when there is no such object. O(log n).
  func place(of key: ObjectKey, in classID: ClassID) throws -> Int? {
    let keys = try keys(of: classID)
    var low = 0
    var high = keys.count
    while low < high {
      let middle = (low + high) / 2
      if keys[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low < keys.count && keys[low] == key ? low : nil
  }
}
