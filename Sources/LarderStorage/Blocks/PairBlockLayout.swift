import LarderLMDB

/// The offsets of the parts of a block's body, and the widths of their numbers. All zero for a linear block, which has no body.
struct PairBlockLayout {
  private typealias Format = PairBlockFormat

  private let narrowValueWidth: UInt8
  private let narrowKeyWidth: UInt8
  private let narrowFixedLength: UInt16
  private let narrowTotalBytes: UInt32
  private let narrowRunEnds: UInt32
  private let narrowKeys: UInt32
  private let narrowStrings: UInt32

  // Blocks are copied on every look-up, so that what they hold is as small as it can be.
  @inline(__always) var valueWidth: Int { Int(narrowValueWidth) }
  @inline(__always) var keyWidth: Int { Int(narrowKeyWidth) }
  /// The length of each string, or `PairBlockFormat.variableLength`.
  @inline(__always) var fixedLength: Int { Int(narrowFixedLength) }
  /// Bytes of all strings.
  @inline(__always) var totalBytes: Int { Int(narrowTotalBytes) }
  @inline(__always) var runEnds: Int { Int(narrowRunEnds) }
  @inline(__always) var keys: Int { Int(narrowKeys) }
  @inline(__always) var strings: Int { Int(narrowStrings) }

  /// Nil when the header's fields contradict each other or the number of bytes.
  @inline(__always)
  init?(checking bytes: ByteView, kind: UInt8, flags: UInt8, count: Int, runs: Int) {
    if kind == Format.linear {
      guard bytes.count == Format.headerSize else { return nil }
      (narrowValueWidth, narrowKeyWidth, narrowFixedLength, narrowTotalBytes) = (0, 0, 0, 0)
      (narrowRunEnds, narrowKeys, narrowStrings) = (0, 0, 0)
      return
    }
    let keyWidth: UInt8 = bytes.load(Format.keyWidth)
    var valueWidth: UInt8 = 0
    var fixedLength: UInt16 = 0
    var totalBytes: UInt32 = 0
    var valueSize = 0
    switch kind {
    case Format.packed:
      valueWidth = bytes.load(Format.valueWidth)
      valueSize = runs * Int(valueWidth)
    case Format.strings:
      fixedLength = bytes.load(Format.fixedLength)
      totalBytes = bytes.load(Format.totalBytes)
      if fixedLength == Format.variableLength { valueSize = runs * 2 }
    default: return nil
    }
    guard Self.isWidth(valueWidth), Self.isWidth(keyWidth) else { return nil }
    // More pairs than that are only copies of one.
    guard count <= Format.mostPairs || (runs == 1 && keyWidth == 0) else { return nil }
    if flags & Format.keysFollowValues != 0, kind != Format.packed || runs != count { return nil }
    let runEnds = Format.headerSize + Format.padded(valueSize)
    let keys = runEnds + (runs == 1 || runs == count ? 0 : Format.padded(runs * 2))
    let strings = keys + Format.padded(count * Int(keyWidth))
    guard bytes.count == strings + Format.padded(Int(totalBytes)) else { return nil }
    if kind == Format.strings, fixedLength != Format.variableLength, Int(totalBytes) != runs * Int(fixedLength) {
      return nil
    }
    // None is beyond the number of bytes, and a block has less than 4 GiB.
    guard let end = UInt32(exactly: bytes.count), strings <= Int(end) else { return nil }
    (narrowValueWidth, narrowKeyWidth, narrowFixedLength) = (valueWidth, keyWidth, fixedLength)
    (narrowTotalBytes, narrowRunEnds) = (totalBytes, UInt32(truncatingIfNeeded: runEnds))
    (narrowKeys, narrowStrings) = (UInt32(truncatingIfNeeded: keys), UInt32(truncatingIfNeeded: strings))
  }

  private static func isWidth(_ width: UInt8) -> Bool { width <= 8 && width != 3 && width.nonzeroBitCount <= 1 }
}
