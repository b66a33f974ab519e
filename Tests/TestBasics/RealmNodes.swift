import Foundation

/// The nodes of a `.realm` file as they are appended to it; each function gives back where its node is.
package struct RealmNodes {
  /// The file so far; its first 24 bytes are the header's.
  package private(set) var bytes = [UInt8](repeating: 0, count: 24)

  private mutating func begin(_ flags: UInt8, kind: UInt8, width: Int, count: Int) -> Int {
    let ref = bytes.count
    let code: UInt8 = width == 0 ? 0 : UInt8(width.trailingZeroBitCount + 1)
    bytes += Array("AAAA".utf8)
    bytes += [flags | kind << 3 | code, UInt8(count >> 16 & 255), UInt8(count >> 8 & 255), UInt8(count & 255)]
    return ref
  }

  private mutating func pad() { while bytes.count % 8 != 0 { bytes.append(0) } }

  private mutating func append(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Integers in as few bits as they need, or in so many.
  package mutating func integers(
    _ values: [Int64], hasRefs: Bool = false, isInner: Bool = false, context: Bool = false, width: Int? = nil
  ) -> Int {
    let flags: UInt8 = (isInner ? 0x80 : 0) | (hasRefs ? 0x40 : 0) | (context ? 0x20 : 0)
    let width = width ?? Self.width(of: values)
    let ref = begin(flags, kind: 0, width: width, count: values.count)
    switch width {
    case 0: break
    case 1, 2, 4:
      let perByte = 8 / width
      for first in stride(from: 0, to: values.count, by: perByte) {
        var byte: UInt8 = 0
        for (place, value) in values[first..<min(values.count, first + perByte)].enumerated() {
          byte |= UInt8(truncatingIfNeeded: value) << UInt8(place * width)
        }
        bytes.append(byte)
      }
    case 8: for value in values { append(Int8(truncatingIfNeeded: value)) }
    case 16: for value in values { append(Int16(truncatingIfNeeded: value)) }
    case 32: for value in values { append(Int32(truncatingIfNeeded: value)) }
    default: for value in values { append(value) }
    }
    pad()
    return ref
  }

  private static func width(of values: [Int64]) -> Int {
    guard let low = values.min(), let high = values.max() else { return 0 }
    switch (low, high) {
    case (0, 0): return 0
    case (0..., ...1): return 1
    case (0..., ...3): return 2
    case (0..., ...15): return 4
    case ((-128)..., ...127): return 8
    case ((-32768)..., ...32767): return 16
    case ((-2_147_483_648)..., ...2_147_483_647): return 32
    default: return 64
    }
  }

  /// A node of places of nodes.
  package mutating func references(_ refs: [Int]) -> Int { integers(refs.map { Int64($0) }, hasRefs: true) }

  /// Integers that may be nil: before them is what means nil.
  package mutating func optionalIntegers(_ values: [Int64?]) -> Int {
    var marker: Int64 = 0
    let taken = Set(values.compactMap { $0 })
    while taken.contains(marker) { marker += 1 }
    return integers([marker] + values.map { $0 ?? marker })
  }

  /// Strings of at most 63 bytes, none of them nil, in blocks of one length.
  package mutating func shortStrings(_ values: [String]) -> Int {
    let longest = values.map(\.utf8.count).max() ?? 0
    var width = 1
    while width <= longest { width *= 2 }
    let ref = begin(0, kind: 1, width: width, count: values.count)
    for value in values {
      bytes += value.utf8
      bytes += [UInt8](repeating: 0, count: width - 1 - value.utf8.count)
      bytes.append(UInt8(width - 1 - value.utf8.count))
    }
    pad()
    return ref
  }

  /// Strings one after another, with where each ends.
  package mutating func mediumStrings(_ values: [String]) -> Int {
    var ends: [Int64] = []
    var blob: [UInt8] = []
    for value in values {
      blob += value.utf8
      blob.append(0)
      ends.append(Int64(blob.count))
    }
    let offsets = integers(ends)
    let text = begin(0, kind: 2, width: 1, count: blob.count)
    bytes += blob
    pad()
    let nulls = integers(values.map { _ in 0 })
    return references([offsets, text, nulls])
  }

  /// Strings as Realm would choose their form.
  package mutating func strings(_ values: [String]) -> Int {
    values.allSatisfy { $0.utf8.count <= 15 } ? shortStrings(values) : mediumStrings(values)
  }

  package mutating func doubles(_ values: [Double]) -> Int {
    let ref = begin(0, kind: 1, width: 8, count: values.count)
    for value in values { append(value.bitPattern) }
    return ref
  }

  package mutating func timestamps(_ values: [(seconds: Int64, nanoseconds: Int64)]) -> Int {
    let seconds = optionalIntegers(values.map(\.seconds))
    let nanoseconds = integers(values.map(\.nanoseconds))
    return references([seconds, nanoseconds])
  }

  /// Links of single properties: keys plus one, 0 for none.
  package mutating func links(_ values: [Int64?]) -> Int { integers(values.map { ($0 ?? -1) + 1 }) }

  /// Lists of links, one node for each that holds any.
  package mutating func linkLists(_ values: [[Int64]]) -> Int {
    let lists = values.map { $0.isEmpty ? 0 : integers($0) }
    return references(lists)
  }

  /// Mixed values that are integers of at most 55 bits, or nil.
  package mutating func mixedIntegers(_ values: [Int64?]) -> Int {
    let composite = integers(values.map { $0.map { $0 << 8 | 1 } ?? 0 })
    return references([composite, 0, 0, 0, 0, 0])
  }

  /// Mixed values that are links: the number of the table, and the key of the object there.
  package mutating func mixedLinks(_ values: [(table: Int64, key: Int64)]) -> Int {
    let composite = integers(values.indices.map { Int64($0) << 8 | 17 })
    let pairs = integers(values.flatMap { [$0.table, $0.key] })
    return references([composite, 0, pairs, 0, 0, 0])
  }
}
