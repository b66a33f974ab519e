import LarderLMDB

/// One list: a counted B-tree of chunks in table `collections`. Sets, and the keys and values of maps, are lists too.
///
/// A description only: it holds no state. `ListView` reads, `ListEditor` changes. Keys are three big-endian words: the
/// column word, the object key, the chunk number. Chunk 0 is the root: a leaf with all elements while they fit, else an
/// inner chunk that numbers and counts its children. Values that leave a leaf (over 1,024 bytes) follow one another in
/// slot order under the column word + 1 + part, object key, chunk number, in parts of four pages.
package struct ListTree: Hashable, Sendable {
  package let table: Table
  package let columnWord: UInt64
  package let object: ObjectKey
  package let type: ColumnType
  /// True if elements may be null.
  package let isOptional: Bool
  package let limits: ListLimits

  package init(
    table: Table, _ classID: ClassID, _ column: ColumnDescriptor, _ object: ObjectKey, limits: ListLimits = ListLimits()
  ) {
    self.init(
      table: table, columnWord: StoreLayout.columnWord(classID, column.id), object: object, type: column.type,
      isOptional: column.isOptional, limits: limits)
  }

  package init(
    table: Table, columnWord: UInt64, object: ObjectKey, type: ColumnType, isOptional: Bool, limits: ListLimits
  ) {
    self.table = table
    self.columnWord = columnWord
    self.object = object
    self.type = type
    self.isOptional = isOptional
    self.limits = limits
  }

  /// The keys of a map, whose values are the column's own tree: a list of strings beside it, in bytewise order.
  package static func keys(
    table: Table, _ classID: ClassID, _ column: ColumnID, _ object: ObjectKey, limits: ListLimits = ListLimits()
  ) -> ListTree {
    ListTree(
      table: table, columnWord: StoreLayout.columnWord(classID, column) | keysBit, object: object, type: .string,
      isOptional: false, limits: limits)
  }

  /// Set in the column word of a map's keys.
  static let keysBit: UInt64 = 0x8000_0000

  static let root: UInt32 = 0
  /// Whole pages of 4,096 n - 16 bytes.
  static let partSize = 4 * 4_096 - 16

  @inline(__always)
  func key(_ chunk: UInt32) -> KeyBytes { KeyBytes(columnWord, object.rawValue, UInt64(chunk)) }

  func partKey(_ chunk: UInt32, _ part: Int) -> KeyBytes {
    KeyBytes(columnWord + 1 + UInt64(part), object.rawValue, UInt64(chunk))
  }

  /// Mixed into a chunk's checksum, so that one found under another key is noticed.
  func seed(_ chunk: UInt32) -> UInt64 {
    Self.seed(columnWord: columnWord, object: object.rawValue, chunk: UInt64(chunk))
  }

  /// The same from the three words of a chunk's key.
  static func seed(columnWord: UInt64, object: UInt64, chunk: UInt64) -> UInt64 {
    (columnWord &+ object &* 0x9E37_79B9_7F4A_7C15) ^ (chunk &* 0xBF58_476D_1CE4_E5B9)
  }

  var holdsBytes: Bool { type.holdsBytes }

  func damage(_ chunk: UInt32, _ what: String) -> StorageError {
    StorageError(
      .corrupted, "Chunk \(chunk) of a list of object \(object.rawValue) \(what). Run `larder check` on the store.",
      key: object)
  }

  /// The error to throw where a root counts more elements than the file has room for.
  var tooMany: StorageError { damage(Self.root, "counts more elements than there can be") }

  /// A stored chunk, its checksum verified.
  func chunk(_ number: UInt32, level: Int?, get: (Table, KeyBytes) throws -> ByteView?) throws -> ListChunk? {
    guard let bytes = try get(table, key(number)) else {
      if number == Self.root { return nil }
      throw damage(number, "is missing")
    }
    return try chunk(number, bytes, level: level)
  }

  func chunk(_ number: UInt32, _ bytes: ByteView, level: Int?) throws -> ListChunk {
    guard LeafView.verify(bytes, key: seed(number)) else { throw damage(number, "does not match its checksum") }
    if ListInnerView.isInner(bytes) {
      guard let inner = ListInnerView(bytes), inner.level == level ?? inner.level else {
        throw damage(number, "is malformed")
      }
      return .inner(inner)
    }
    let leaf = try LeafView(bytes)
    guard level ?? 0 == 0, leaf.type == type else { throw damage(number, "holds something else than elements") }
    return .leaf(leaf)
  }

  /// The values of a leaf's large slots, in slot order.
  func largeValues(
    _ number: UInt32, _ leaf: LeafView, get: (Table, KeyBytes) throws -> ByteView?
  ) throws -> [(slot: Int, bytes: [UInt8])] {
    guard leaf.hasLarge else { return [] }
    var parts = LargeParts(tree: self, chunk: number)
    var result: [(slot: Int, bytes: [UInt8])] = []
    for slot in 0..<leaf.count {
      guard let stub = leaf.largeStub(slot) else { continue }
      guard let bytes = try parts.take(stub.length, get: get),
        bytes.withUnsafeBytes({ UInt32(truncatingIfNeeded: Checksum64.hash($0)) }) == stub.hash
      else { throw damage(number, "lacks a large value or holds a damaged one") }
      result.append((slot, bytes))
    }
    return result
  }

  /// Reads the large values of a chunk one after the other.
  private struct LargeParts {
    let tree: ListTree
    let chunk: UInt32
    var part = 0
    var offset = 0

    mutating func take(_ length: Int, get: (Table, KeyBytes) throws -> ByteView?) throws -> [UInt8]? {
      guard length <= StoreLayout.maximumValueSize else { return nil }
      var result: [UInt8] = []
      while result.count < length {
        guard let view = try get(tree.table, tree.partKey(chunk, part)), offset <= view.count else { return nil }
        let size = min(length - result.count, view.count - offset)
        guard size > 0 || offset == ListTree.partSize else { return nil }
        result.append(contentsOf: view.slice(offset, size).buffer)
        offset += size
        if offset == ListTree.partSize {
          part += 1
          offset = 0
        }
      }
      return result
    }
  }
}

/// A stored chunk as found.
enum ListChunk {
  case leaf(LeafView)
  case inner(ListInnerView)

  var count: Int {
    switch self {
    case .leaf(let leaf): leaf.count
    case .inner(let inner): inner.total
    }
  }
}

/// A read-only view of an inner chunk.
///
/// Header of four little-endian words: checksum; kind (128) u8, level u8 (1 = children are leaves), number of children
/// u16, zero u32; number of elements below; next unused chunk number u32 (in the root), zero u32. Then for each child
/// its chunk number u32 and the number of elements below it u32.
struct ListInnerView {
  static let kind: UInt8 = 128
  static let headerSize = 32

  let bytes: ByteView
  let level: Int
  let count: Int
  let total: Int
  let nextChunk: UInt32

  static func isInner(_ bytes: ByteView) -> Bool { bytes.count >= headerSize && bytes.load(8, as: UInt8.self) == kind }

  /// Nil when header and size disagree.
  init?(_ bytes: ByteView) {
    self.bytes = bytes
    level = Int(bytes.load(9, as: UInt8.self))
    count = Int(bytes.load(10, as: UInt16.self))
    total = Int(clamping: bytes.load(16, as: UInt64.self))
    nextChunk = bytes.load(24, as: UInt32.self)
    guard count > 0, level > 0, bytes.count == Self.headerSize + 8 * count, isPossible else { return nil }
  }

  /// True if there can be as many elements as it says, in all and below each child: its level bounds them.
  private var isPossible: Bool {
    guard level <= Self.mostLevels else { return false }
    let limits = ListLimits()
    func below(_ most: Int) -> Int {
      let (product, overflows) = most.multipliedReportingOverflow(by: limits.children)
      return overflows ? .max : product
    }
    let most = (1..<level).reduce(limits.elements) { most, _ in below(most) }
    return total <= below(most) && (0..<count).allSatisfy { elements($0) <= most }
  }

  /// Far more than the largest list has, whose inner chunks have two children at the least.
  private static let mostLevels = 64

  @inline(__always)
  func chunk(_ index: Int) -> UInt32 { bytes.load(Self.headerSize &+ 8 &* index, as: UInt32.self) }

  @inline(__always)
  func elements(_ index: Int) -> Int { Int(bytes.load(Self.headerSize &+ 8 &* index &+ 4, as: UInt32.self)) }

  /// The child that holds a position, and the position of its first element; nil when the counts do not reach so far.
  func child(at position: Int) -> (index: Int, start: Int)? {
    var start = 0
    for index in 0..<count {
      let elements = elements(index)
      if position < start + elements { return (index, start) }
      start += elements
    }
    return nil
  }

  static func encode(
    level: Int, total: Int, nextChunk: UInt32, children: [(chunk: UInt32, elements: Int)], seed: UInt64
  ) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: headerSize + 8 * children.count)
    bytes.withUnsafeMutableBytes { target in
      target[8] = kind
      target[9] = UInt8(level)
      target.storeBytes(of: UInt16(children.count).littleEndian, toByteOffset: 10, as: UInt16.self)
      target.storeBytes(of: UInt64(total).littleEndian, toByteOffset: 16, as: UInt64.self)
      target.storeBytes(of: nextChunk.littleEndian, toByteOffset: 24, as: UInt32.self)
      for (index, child) in children.enumerated() {
        let offset = headerSize + 8 * index
        target.storeBytes(of: child.chunk.littleEndian, toByteOffset: offset, as: UInt32.self)
        target.storeBytes(of: UInt32(child.elements).littleEndian, toByteOffset: offset + 4, as: UInt32.self)
      }
    }
    let sum = bytes[8...].withUnsafeBytes { Checksum64.hash($0, seed: seed) }
    bytes.withUnsafeMutableBytes { $0.storeBytes(of: sum.littleEndian, as: UInt64.self) }
    return bytes
  }
}
