import Foundation

/// A LIKE pattern of literal texts alone, with any run between them: what it begins with, what follows in order, and what it ends with.
struct LikeParts: Hashable, Sendable {
  let prefix: [UInt8]
  /// In order, each after the one before; where it is found first is always right.
  let middle: [ByteSearch]
  /// Nil for a pattern without a run, which is its prefix.
  let suffix: [UInt8]?

  /// - Returns: Nil for a pattern with a sign for any scalar, and for one of text whose parts do not begin with a scalar: the
  ///   steps of a run are scalars then, and not every place may be one where a part is looked for.
  init?(_ pieces: [LikePattern.Piece], isText: Bool) {
    var parts: [[UInt8]] = [[]]
    for piece in pieces {
      switch piece {
      case .byte(let byte): parts[parts.count - 1].append(byte)
      case .anyRun: parts.append([])
      case .anyScalar: return nil
      }
    }
    if isText, parts.dropFirst().contains(where: { $0.first.map { $0 & 0xC0 == 0x80 } ?? false }) { return nil }
    prefix = parts[0]
    suffix = parts.count > 1 ? parts[parts.count - 1] : nil
    middle = parts.dropFirst().dropLast().compactMap { ByteSearch($0) }
  }

  /// A text that is in every match, where none is at one of its ends; nil where an end says more at less cost.
  var anywhere: ByteSearch? {
    guard prefix.isEmpty, let suffix, suffix.isEmpty else { return nil }
    return middle.max { $0.needle.count < $1.needle.count }
  }

  /// Returns true if the whole text matches.
  func matches(_ text: UnsafeRawBufferPointer) -> Bool {
    matches(text, { $0 }) { $0.first(in: $1, from: $2) }
  }

  /// The same for a folded pattern and ASCII text of any case.
  func matchesIgnoringCase(_ text: UnsafeRawBufferPointer) -> Bool {
    matches(text, ByteSearch.folded) { $0.firstIgnoringCase(in: $1, from: $2) }
  }

  @inline(__always)
  private func matches(
    _ text: UnsafeRawBufferPointer, _ fold: (UInt8) -> UInt8,
    _ find: (ByteSearch, UnsafeRawBufferPointer, Int) -> Int?
  ) -> Bool {
    guard let suffix else { return text.count == prefix.count && Self.holds(text, prefix, at: 0, fold) }
    let end = text.count &- suffix.count
    guard end >= prefix.count, Self.holds(text, prefix, at: 0, fold), Self.holds(text, suffix, at: end, fold) else {
      return false
    }
    if middle.isEmpty { return true }
    let inner = UnsafeRawBufferPointer(rebasing: text[..<end])
    var place = prefix.count
    for search in middle {
      guard let found = find(search, inner, place) else { return false }
      place = found &+ search.needle.count
    }
    return true
  }

  @inline(__always)
  private static func holds(
    _ text: UnsafeRawBufferPointer, _ part: [UInt8], at start: Int, _ fold: (UInt8) -> UInt8
  ) -> Bool {
    part.withUnsafeBufferPointer { part in
      for index in 0..<part.count where fold(text[start &+ index]) != part[index] { return false }
      return true
    }
  }
}
