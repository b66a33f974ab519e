/// Things that one message names by number after their first use. A few are found by looking at each, which is faster than hashing.
struct Interned<Element: Hashable & Sendable>: Sendable {
  private(set) var elements: [Element] = []
  private var numbers: [Element: Int] = [:]
  private static var fewest: Int { 8 }

  func number(of element: Element) -> Int? {
    elements.count <= Self.fewest ? elements.firstIndex(of: element) : numbers[element]
  }

  mutating func append(_ element: Element) {
    elements.append(element)
    if elements.count == Self.fewest + 1 {
      for (number, element) in elements.enumerated() { numbers[element] = number }
    } else if elements.count > Self.fewest {
      numbers[element] = elements.count - 1
    }
  }
}

/// The author of the operations that are being written, so that names of theirs are short.
struct Authorship: Sendable {
  var site: SiteID?
  var siteVersion: UInt64?
  var operation: UInt32?
}

/// The first number of a name of something that an operation made: how much of it is the same as where it is written.
enum IDForm {
  static let root: UInt64 = 0
  static let ownOperation: UInt64 = 1
  static let ownCommit: UInt64 = 2
  static let ownSite: UInt64 = 3
  static let newSite: UInt64 = 4
  static let firstKnownSite: UInt64 = 5
}
