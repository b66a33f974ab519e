import LarderStorage

/// The keys that cancelled write transactions of one Realm gave: objects made there stay invalid, even when another process gives their
/// keys again.
///
/// A Realm may live as long as its program and cancel any number of writes: those of the last `most` are remembered, twelve bytes for each
/// class that they made objects of.
struct CancelledWrites {
  /// Cancelled transactions that are remembered for a class.
  static let most = 16_384

  private struct Floors {
    /// In ascending order.
    var numbers: [UInt32] = []
    /// For each of them the first key that it gave.
    var keys: [ObjectKey] = []
  }

  private var classes: [ClassID: Floors] = [:]

  var isEmpty: Bool { classes.isEmpty }

  /// Entries that are kept.
  var count: Int { classes.values.reduce(0) { $0 + $1.numbers.count } }

  /// Remembers a transaction by its number.
  ///
  /// - Parameter floors: The first keys that the transaction gave, by class.
  mutating func note(_ number: UInt32, _ floors: [ClassID: ObjectKey]) {
    for (classID, key) in floors {
      if classes[classID]?.numbers.count == Self.most {
        classes[classID]?.numbers.removeFirst(Self.most / 2)
        classes[classID]?.keys.removeFirst(Self.most / 2)
      }
      classes[classID, default: Floors()].numbers.append(number)
      classes[classID]?.keys.append(key)
    }
  }

  /// Returns true if an object vanished with the transaction of that number.
  func hold(_ classID: ClassID, _ key: ObjectKey, of number: UInt32) -> Bool {
    guard let floors = classes[classID] else { return false }
    var (low, high) = (0, floors.numbers.count)
    while low < high {
      let middle = (low + high) / 2
      if floors.numbers[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low < floors.numbers.count && floors.numbers[low] == number && !(key < floors.keys[low])
  }
}
