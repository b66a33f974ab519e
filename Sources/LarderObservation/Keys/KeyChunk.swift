import LarderQuery
import LarderStorage

/// Some keys of a sequence, packed: an unbroken ascending run as its first key only, keys that are close together as four bytes
/// each. Beside them the words that a sorted sequence is searched by, eight bytes each.
final class KeyChunk: Sendable {
  private enum Storage: Sendable {
    case run
    case near([UInt32])
    case wide([ObjectKey])
  }

  /// The lowest key.
  private let base: UInt64
  let count: Int
  private let storage: Storage
  /// By place, or empty.
  private let words: [UInt64]

  /// - Parameter words: One for each key, or none.
  init(_ keys: ArraySlice<ObjectKey>, words: ArraySlice<UInt64> = []) {
    precondition(words.isEmpty || words.count == keys.count, "a word for each key")
    self.words = Array(words)
    count = keys.count
    var low = keys.first?.rawValue ?? 0
    var high = low
    var isRun = true
    var expected = low
    for key in keys {
      isRun = isRun && key.rawValue == expected
      expected = key.rawValue &+ 1
      low = min(low, key.rawValue)
      high = max(high, key.rawValue)
    }
    base = low
    if isRun {
      storage = .run
    } else if high - low <= UInt64(UInt32.max) {
      storage = .near(keys.map { UInt32(truncatingIfNeeded: $0.rawValue - low) })
    } else {
      storage = .wide(Array(keys))
    }
  }

  @inline(__always)
  subscript(offset: Int) -> ObjectKey {
    switch storage {
    case .run: ObjectKey(rawValue: base + UInt64(offset))
    case .near(let offsets): ObjectKey(rawValue: base + UInt64(offsets[offset]))
    case .wide(let keys): keys[offset]
    }
  }

  /// The word of a key; unknown where there are none.
  @inline(__always)
  func word(_ offset: Int) -> UInt64 { words.isEmpty ? SortPrefix.unknown : words[offset] }

  /// Memory taken, about.
  var byteCount: Int {
    let header = 64 + (words.isEmpty ? 0 : 32 + words.capacity * 8)
    switch storage {
    case .run: return header
    case .near(let offsets): return header + 32 + offsets.capacity * 4
    case .wide(let keys): return header + 32 + keys.capacity * 8
    }
  }
}
