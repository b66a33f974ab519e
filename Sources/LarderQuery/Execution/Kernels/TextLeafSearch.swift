import LarderStorage

/// Looks for what a match must have anywhere in it in all texts of a leaf at once: they follow each other there, and most places that
/// are found are in one of few.
struct TextLeafSearch {
  private let matcher: TextMatcher
  private let search: ByteSearch
  private let isEnough: Bool
  private let ignoresCase: Bool
  private let leaf: LeafView
  private let text: UnsafeRawBufferPointer

  /// - Returns: Nil where the texts must be looked at one by one: without such bytes, in a leaf whose texts are not one after the other,
  ///   and for folded comparisons in a leaf that is not all ASCII.
  init?(_ matcher: TextMatcher, _ leaf: LeafView) {
    guard let search = matcher.anywhere, let text = leaf.pointers.packedText, !leaf.hasLarge,
      matcher.options.isEmpty || TextMatcher.isASCII(text)
    else { return nil }
    self.matcher = matcher
    self.search = search
    self.leaf = leaf
    self.text = text
    isEnough = matcher.isAnywhereEnough
    ignoresCase = matcher.options.contains(.caseInsensitive)
  }

  /// Sets the bits of matching slots; false, having done nothing, where so few are asked for that looking at them alone takes less.
  func run(_ candidates: UnsafePointer<UInt64>, _ result: UnsafeMutablePointer<UInt64>, stride: Int) -> Bool {
    var asked = 0
    for index in 0..<stride { asked &+= candidates[index].nonzeroBitCount }
    guard asked &* 8 > leaf.count, leaf.count <= stride << 6 else { return false }
    for index in 0..<stride { result[index] = 0 }
    let pointers = leaf.pointers
    var (slot, place) = (0, 0)
    while let found = ignoresCase
      ? search.firstIgnoringCase(in: text, from: place) : search.first(in: text, from: place)
    {
      slot = holder(of: found, from: slot)
      // Offsets of a damaged leaf may say anything; then the slot has nothing, and the search goes on.
      let end = min(max(pointers.offset(slot &+ 1), found &+ 1), text.count)
      if isEnough ? found &+ search.needle.count <= end : matcher.matches(pointers.bytes(slot)) {
        result[slot >> 6] |= 1 << UInt64(slot & 63)
      }
      place = end
    }
    return true
  }

  /// The slot whose text a place is in, which is not before a given one.
  private func holder(of place: Int, from first: Int) -> Int {
    let pointers = leaf.pointers
    var (low, step) = (first, 1)
    while low &+ step < leaf.count, pointers.offset(low &+ step) <= place {
      low &+= step
      step &*= 2
    }
    var high = min(low &+ step, leaf.count)
    while high &- low > 1 {
      let middle = (low &+ high) >> 1
      if pointers.offset(middle) <= place { low = middle } else { high = middle }
    }
    return low
  }
}
