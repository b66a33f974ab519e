/// Names of the elements of a list that was there before it was synchronised (MR-23).
///
/// They are derived from the object, the property, the position and the values, so that devices which began with copies of one store give the same
/// element the same name. A list is cut into blocks that have a digest each, and elements of one block have consecutive names: lists that differ
/// from some element on share the blocks before it.
struct BaselineNames {
  /// So long that a list is few operations, and so short that a difference is not much of a list.
  static let blockLength = 16

  private let start: ContentDigest

  init(of object: ObjectName, _ property: SyncText) {
    var digest = ContentDigest()
    digest.add(object.encoded())
    digest.add(Array(property.string.utf8))
    start = digest
  }

  /// The name of the first element of a block that begins at a position.
  func first(of block: some Sequence<SyncValue>, at position: Int) -> OperationID {
    var digest = start
    digest.add(Array("\(position)".utf8))
    for value in block { digest.add(value.renamed { _ in .root }.encoded()) }
    return OperationID(site: digest.site, siteVersion: 0, operation: 0)
  }
}

/// 128 bits that are the same for the same content on every device. Two FNV-1a sums with multipliers of their own: nothing is kept secret or safe by it.
private struct ContentDigest {
  private var high: UInt64 = 0xCBF2_9CE4_8422_2325
  private var low: UInt64 = 0x8422_2325_CBF2_9CE4

  mutating func add(_ bytes: [UInt8]) {
    for byte in bytes { add(byte) }
    // So that the end of a part counts.
    var length = UInt64(bytes.count)
    for _ in 0..<8 {
      add(UInt8(truncatingIfNeeded: length))
      length >>= 8
    }
  }

  private mutating func add(_ byte: UInt8) {
    high = (high ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    low = (low ^ UInt64(byte)) &* 0x9E37_79B9_7F4A_7C15
  }

  var site: SiteID { SiteID(high: high, low: low) }
}
