import LarderObservation
import LarderStorage

/// The contents that results found last, and the one stamp that says when.
struct ResultsContents {
  enum Found {
    case nothing
    /// The first keys only.
    case head([ObjectKey])
    case keys([ObjectKey])
    /// Keys that came with a notification, until all of them are asked for, and how often one was asked for by its position.
    case delivered(KeySequence, reads: Int)
    case values([StoredValue])
  }

  /// The number of first results that are found without finding, or sorting, all.
  static let headLength = 128
  /// After so many reads by position of what was delivered all keys are unpacked: then a read is an access to an array.
  static let deliveredPatience = 512

  private var found = Found.nothing
  /// The moment of the Realm at which they were found, or held last.
  private(set) var stamp: UInt64 = 0
  /// The version they were found at; nil for those of a write transaction.
  private(set) var version: UInt64?

  mutating func hold(_ found: Found, stamp: UInt64, version: UInt64?) {
    self.found = found
    confirm(stamp: stamp, version: version)
  }

  /// Nothing that they depend on has changed up to a later moment.
  mutating func confirm(stamp: UInt64, version: UInt64?) {
    self.stamp = stamp
    self.version = version
  }

  /// True if they are all results, as opposed to the first ones or none.
  var isWhole: Bool {
    switch found {
    case .nothing, .head: false
    case .keys, .delivered, .values: true
    }
  }

  func isWhole(at stamp: UInt64) -> Bool { isWhole && stamp == self.stamp }

  var count: Int {
    switch found {
    case .nothing: 0
    case .head(let keys), .keys(let keys): keys.count
    case .delivered(let keys, _): keys.count
    case .values(let values): values.count
    }
  }

  var firstKey: ObjectKey? {
    switch found {
    case .head(let keys), .keys(let keys): keys.first
    case .delivered(let keys, _): keys.first
    case .nothing, .values: nil
    }
  }

  var values: [StoredValue] {
    if case .values(let values) = found { values } else { [] }
  }

  var delivered: KeySequence? {
    if case .delivered(let keys, _) = found { keys } else { nil }
  }

  /// The first keys, where they were found at a moment and nothing more was.
  func head(at stamp: UInt64) -> [ObjectKey]? {
    if case .head(let keys) = found, stamp == self.stamp { keys } else { nil }
  }

  /// A key of what was delivered; nil for positions outside of it, for other contents, and when keys were read often enough for all of them
  /// to be unpacked.
  mutating func deliveredKey(at position: Int) -> ObjectKey? {
    guard case .delivered(let keys, let reads) = found, reads < Self.deliveredPatience,
      keys.indices.contains(position)
    else { return nil }
    found = .delivered(keys, reads: reads + 1)
    return keys[position]
  }

  /// All keys, as an array from now on.
  mutating func unpackedKeys() -> [ObjectKey] {
    switch found {
    case .keys(let keys): return keys
    case .delivered(let packed, _):
      let keys = packed.keys
      found = .keys(keys)
      return keys
    case .nothing, .head, .values: return []
    }
  }
}
