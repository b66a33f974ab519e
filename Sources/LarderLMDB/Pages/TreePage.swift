import Foundation

/// A page of a tree as it is in the file. Its header is checked when it is read, each of its entries when it is asked for.
struct TreePage {
  private static let branch: UInt16 = 0x01
  private static let leaf: UInt16 = 0x02
  private static let headerSize = 16

  let number: UInt64
  let isLeaf: Bool
  private let lower: Int
  private let upper: Int
  let bytes: [UInt8]

  /// Reads the page with that number. Throws `damaged` with what its header says that cannot be.
  init(_ bytes: [UInt8], number: UInt64) throws {
    self.bytes = bytes
    self.number = number
    let stated = Self.word(bytes, 0, as: UInt64.self)
    let kind = Self.word(bytes, 10, as: UInt16.self)
    lower = Int(Self.word(bytes, 12, as: UInt16.self))
    upper = Int(Self.word(bytes, 14, as: UInt16.self))
    isLeaf = kind == Self.leaf
    guard stated == number else { throw pageFault(number, "it says that it is page \(stated)") }
    guard isLeaf || kind == Self.branch else {
      throw pageFault(number, "its kind \(kind) is not that of a tree page")
    }
    guard lower >= Self.headerSize, lower % 2 == 0, lower <= upper, upper <= bytes.count else {
      throw pageFault(number, "its bounds \(lower) and \(upper) are impossible")
    }
    guard count >= (isLeaf ? 1 : 2) else { throw pageFault(number, "it has \(count) entries") }
  }

  /// The number of entries.
  var count: Int { (lower - Self.headerSize) / 2 }

  private static func word<T: FixedWidthInteger>(_ bytes: [UInt8], _ offset: Int, as type: T.Type) -> T {
    bytes.withUnsafeBytes { T(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: T.self)) }
  }

  private func short(_ offset: Int) -> Int { Int(bytes[offset]) | Int(bytes[offset + 1]) << 8 }

  /// Returns the offset of an entry and its key. Throws `damaged` when they are not in the page.
  private func header(_ index: Int) throws -> (offset: Int, key: TreeKey) {
    guard let offset = place(index) else { throw pageFault(number, "entry \(index) points out of the page") }
    let keySize = short(offset + 6)
    guard keySize <= SizeLimits.key, offset + 8 + keySize <= bytes.count else {
      throw pageFault(number, "the key of entry \(index) has \(keySize) bytes")
    }
    return (offset, TreeKey(page: bytes, range: offset + 8..<offset + 8 + keySize))
  }

  /// The key and the child of an entry of a branch page. The first key of a branch page is not used and may be empty.
  func branch(_ index: Int) throws -> (key: TreeKey, child: UInt64) {
    let (offset, key) = try header(index)
    guard index == 0 || !key.range.isEmpty else { throw pageFault(number, "entry \(index) has no key") }
    let child = UInt64(short(offset)) | UInt64(short(offset + 2)) << 16 | UInt64(short(offset + 4)) << 32
    return (key, child)
  }

  /// An entry of a leaf page.
  func leaf(_ index: Int) throws -> LeafEntry {
    let (offset, key) = try header(index)
    let size = short(offset) | short(offset + 2) << 16
    let flags = short(offset + 4)
    guard !key.range.isEmpty else { throw pageFault(number, "entry \(index) has no key") }
    guard flags & ~(LeafEntry.bigData | LeafEntry.subTable) == 0 else {
      throw pageFault(number, "entry \(index) has the flags \(flags)")
    }
    let start = key.range.upperBound
    let isElsewhere = flags & LeafEntry.bigData != 0
    guard start + (isElsewhere ? 8 : size) <= bytes.count else {
      throw pageFault(number, "the value of entry \(index) leaves the page")
    }
    return LeafEntry(
      page: number, key: key, size: size, isTable: flags & LeafEntry.subTable != 0,
      start: start, run: isElsewhere ? Self.word(bytes, start, as: UInt64.self) : nil)
  }

  /// True if the entries are one after the other up to the end of the page, as LMDB leaves them whatever it does.
  ///
  /// LMDB moves what is before an entry by the entry's size when it removes the entry: a false size would have it write over other entries, or over
  /// memory that is no page. Compares the sums of the places where entries begin and end, and of their squares: no others than those of a gapless row
  /// agree in both but by chance.
  var isPacked: Bool {
    var (begins, ends) = (UInt64(bytes.count), UInt64(upper))
    var (beginSquares, endSquares) = (begins &* begins, ends &* ends)
    for index in 0..<count {
      guard let begin = place(index) else { return false }
      let end = end(begin)
      begins &+= UInt64(begin)
      ends &+= UInt64(end)
      beginSquares &+= UInt64(begin) &* UInt64(begin)
      endSquares &+= UInt64(end) &* UInt64(end)
    }
    return begins == ends && beginSquares == endSquares
  }

  private func place(_ index: Int) -> Int? {
    let offset = short(Self.headerSize + index * 2)
    return offset >= upper && offset % 2 == 0 && offset + 8 <= bytes.count ? offset : nil
  }

  /// Returns the end of the entry that begins at a place, as the entry itself says.
  private func end(_ begin: Int) -> Int {
    let size = 8 + short(begin + 6)
    guard isLeaf else { return begin + size + size % 2 }
    let isElsewhere = short(begin + 4) & LeafEntry.bigData != 0
    let whole = size + (isElsewhere ? 8 : short(begin) | short(begin + 2) << 16)
    return begin + whole + whole % 2
  }

  /// The key of an entry; nil when it cannot be read.
  func readableKey(_ index: Int) -> TreeKey? { try? header(index).key }

  /// The value of an entry that is in the page itself.
  func value(of entry: LeafEntry) -> [UInt8] { Array(bytes[entry.start..<entry.start + entry.size]) }
}

/// An entry of a leaf page: where its key and its value are.
struct LeafEntry {
  static let bigData = 0x01
  static let subTable = 0x02

  let page: UInt64
  let key: TreeKey
  let size: Int
  /// True if the value is the record of a table.
  let isTable: Bool
  /// The offset of the value, or of the number of its first page.
  let start: Int
  /// The first page of a value that has pages of its own.
  let run: UInt64?
}

/// A key where it is in its page.
struct TreeKey: Equatable {
  let page: [UInt8]
  let range: Range<Int>

  var bytes: ArraySlice<UInt8> { page[range] }

  static func == (lhs: TreeKey, rhs: TreeKey) -> Bool { lhs.compare(rhs) == 0 }

  /// Returns true if it comes before another key in its tree. Numbers have the byte order of the processor.
  func precedes(_ other: TreeKey, isNumber: Bool) -> Bool {
    guard isNumber else { return compare(other) < 0 }
    return bytes.reversed().lexicographicallyPrecedes(other.bytes.reversed())
  }

  private func compare(_ other: TreeKey) -> Int {
    let order = page.withUnsafeBytes { left in
      other.page.withUnsafeBytes { right in
        memcmp(
          left.baseAddress! + range.lowerBound, right.baseAddress! + other.range.lowerBound,
          min(range.count, other.range.count))
      }
    }
    return order == 0 ? range.count - other.range.count : Int(order)
  }
}

/// Returns the error for a page that cannot be as it is.
func pageFault(_ page: UInt64, _ text: String) -> LMDBError {
  LMDBError(.damaged, "page walk", detail: "page \(page): \(text)")
}
