/// One node of a file, the only structure that there is: a header of eight bytes and elements of equal width.
struct Node {
  /// The unit of an element's width.
  enum Layout {
    /// Integers of `width` bits.
    case integers
    /// Elements of `width` bytes.
    case blocks
    /// Bytes.
    case bytes
  }

  static let headerSize = 8

  let offset: Int
  /// True if it is a node of a tree that refers to further nodes of the tree.
  let isInner: Bool
  /// True if its elements may refer to nodes.
  let hasReferences: Bool
  /// A flag whose meaning depends on the kind of node.
  let isMarked: Bool
  let layout: Layout
  /// Bits or bytes of an element, by layout.
  let width: Int
  /// The number of elements.
  let count: Int
  let payload: [UInt8]

  /// The integers, of which those of 8 bits and more have a sign.
  var integers: [Int64] { IntegerUnpacking.signed(payload, width: width, count: count) }

  /// The integers, none of which has a sign.
  var unsignedIntegers: [UInt64] { IntegerUnpacking.unsigned(payload, width: width, count: count) }
}

/// An element of a node that may refer to others.
enum Slot {
  case empty
  case reference(Int)
  case number(UInt64)

  init(_ element: Int64) {
    if element == 0 {
      self = .empty
    } else if element & 1 == 1 {
      self = .number(UInt64(bitPattern: element) >> 1)
    } else {
      // What is no offset in the file is refused where it is followed.
      self = .reference(Int(truncatingIfNeeded: element))
    }
  }
}
