/// Sizes of the chunks of a list. Tests lower them; a store uses the defaults.
package struct ListLimits: Hashable, Sendable {
  /// Most elements in a leaf chunk. At 480, four-byte elements stay inline in LMDB's pages, two chunks to a page, and
  /// eight-byte ones fill one overflow page.
  package var elements = 480
  /// Most bytes of elements in a leaf chunk, unless it holds one element: with its header one overflow page.
  package var bytes = 3_940
  /// Most children of an inner chunk; at 240 it stays inline.
  package var children = 240

  package init(elements: Int = 480, bytes: Int = 3_940, children: Int = 240) {
    precondition(elements >= 2 && elements <= 0xFFFF && bytes >= 64 && children >= 3, "chunks too small to split")
    self.elements = elements
    self.bytes = bytes
    self.children = children
  }
}
