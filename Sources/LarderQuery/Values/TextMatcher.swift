import Foundation
import LarderStorage

/// A text comparison made ready: the needle is folded and compiled once, each value is looked at in place.
struct TextMatcher: Sendable {
  package let operation: ComparisonOperator
  package let options: TextOptions
  package let needle: [UInt8]
  private let pattern: LikePattern?
  private let contained: ByteSearch?
  private let search: TextQuery?

  /// Nil where nothing can match: a nil needle, or an empty one for the substring operators.
  package init?(_ operation: ComparisonOperator, _ value: StoredValue, _ options: TextOptions) {
    guard let bytes = value.textBytes else { return nil }
    if bytes.isEmpty, operation == .beginsWith || operation == .endsWith || operation == .contains { return nil }
    let folded = options.isEmpty ? bytes : TextFolding.fold(String(decoding: bytes, as: UTF8.self), options)
    self.operation = operation
    self.options = options
    self.needle = folded
    self.pattern = operation == .like ? LikePattern(folded, isText: value.type != .data || !options.isEmpty) : nil
    self.contained = operation == .contains ? ByteSearch(folded) : nil
    self.search = operation == .text ? TextQuery(String(decoding: bytes, as: UTF8.self)) : nil
    // A needle of combining marks alone folds to nothing.
    if folded.isEmpty, operation == .beginsWith || operation == .endsWith || operation == .contains { return nil }
  }

  /// Bytes that every text has that matches, at no place in particular; nil where no such bytes are known, or where a look at one end
  /// of a text tells as much.
  var anywhere: ByteSearch? { contained ?? pattern?.parts?.anywhere }

  /// True if the bytes of `anywhere` are all that is asked for.
  var isAnywhereEnough: Bool { contained != nil || pattern?.parts?.middle.count == 1 }

  package func matches(_ text: UnsafeRawBufferPointer) -> Bool {
    if options.isEmpty { return matchesFolded(text) }
    if Self.isASCII(text) { return matchesASCII(text) }
    return TextFolding.fold(String(decoding: text, as: UTF8.self), options).withUnsafeBytes { matchesFolded($0) }
  }

  private func matchesASCII(_ text: UnsafeRawBufferPointer) -> Bool {
    guard options.contains(.caseInsensitive) else { return matchesFolded(text) }
    switch operation {
    case .equal: return text.count == needle.count && isFolded(text, at: 0)
    case .notEqual: return !(text.count == needle.count && isFolded(text, at: 0))
    case .beginsWith: return text.count >= needle.count && isFolded(text, at: 0)
    case .endsWith: return text.count >= needle.count && isFolded(text, at: text.count - needle.count)
    case .contains: return contained?.firstIgnoringCase(in: text) != nil
    case .like: if let parts = pattern?.parts { return parts.matchesIgnoringCase(text) }
    default: break
    }
    return withUnsafeTemporaryAllocation(byteCount: max(1, text.count), alignment: 1) { folded in
      for index in text.indices {
        folded[index] = ByteSearch.folded(text[index])
      }
      return matchesFolded(UnsafeRawBufferPointer(rebasing: folded[..<text.count]))
    }
  }

  @inline(__always)
  static func isASCII(_ text: UnsafeRawBufferPointer) -> Bool {
    var (bits, position) = (UInt64(0), 0)
    while position &+ 8 <= text.count {
      bits |= text.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      position &+= 8
    }
    while position < text.count {
      bits |= UInt64(text[position])
      position &+= 1
    }
    return bits & 0x8080_8080_8080_8080 == 0
  }

  /// Returns true if ASCII text has the needle at a position, whatever the case.
  @inline(__always)
  private func isFolded(_ text: UnsafeRawBufferPointer, at start: Int) -> Bool {
    needle.withUnsafeBufferPointer { needle in
      for index in 0..<needle.count where ByteSearch.folded(text[start &+ index]) != needle[index] { return false }
      return true
    }
  }

  private func matchesFolded(_ text: UnsafeRawBufferPointer) -> Bool {
    needle.withUnsafeBytes { needle in
      switch operation {
      case .equal: Self.equal(text, needle)
      case .notEqual: !Self.equal(text, needle)
      case .less: Self.order(text, needle) < 0
      case .lessOrEqual: Self.order(text, needle) <= 0
      case .greater: Self.order(text, needle) > 0
      case .greaterOrEqual: Self.order(text, needle) >= 0
      case .beginsWith:
        text.count >= needle.count && Self.equal(UnsafeRawBufferPointer(rebasing: text[..<needle.count]), needle)
      case .endsWith:
        text.count >= needle.count
          && Self.equal(UnsafeRawBufferPointer(rebasing: text[(text.count - needle.count)...]), needle)
      case .contains: contained?.first(in: text) != nil
      case .like: pattern?.matches(text) ?? false
      case .text: search?.matches(String(decoding: text, as: UTF8.self)) ?? false
      case .in, .between: false
      }
    }
  }

  @inline(__always)
  static func equal(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
    guard a.count == b.count else { return false }
    guard let left = a.baseAddress, let right = b.baseAddress else { return true }
    return memcmp(left, right, a.count) == 0
  }

  /// Bytewise order, the shorter first where one begins with the other.
  @inline(__always)
  package static func order(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int {
    guard let left = a.baseAddress, let right = b.baseAddress else { return a.count - b.count }
    let order = memcmp(left, right, min(a.count, b.count))
    return order != 0 ? Int(order) : a.count - b.count
  }
}
