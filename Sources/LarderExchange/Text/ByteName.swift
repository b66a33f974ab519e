/// A name that equals another one when both have the same bytes. `String` also takes those for equal that Unicode normalises to the same text.
struct ByteName: Hashable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (left: ByteName, right: ByteName) -> Bool { areSame(left.text, right.text) }

  func hash(into hasher: inout Hasher) { hasher.combine(text) }

  /// True if two names have the same bytes.
  static func areSame(_ left: some StringProtocol, _ right: some StringProtocol) -> Bool {
    // What differs for `String`, which is the faster comparison, has other bytes.
    left == right && left.utf8.elementsEqual(right.utf8)
  }
}
