import LarderStorage

/// The text of a map's key. Keys are equal when their bytes are, as in the store; Swift takes two spellings of one character
/// for one.
struct MapKeyText: Hashable, Comparable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (lhs: MapKeyText, rhs: MapKeyText) -> Bool { lhs.text.utf8.elementsEqual(rhs.text.utf8) }
  static func < (lhs: MapKeyText, rhs: MapKeyText) -> Bool { StoredOrder.compare(lhs.text, rhs.text) < 0 }
  func hash(into hasher: inout Hasher) { hasher.combine(StoredValue.string(text)) }
}
