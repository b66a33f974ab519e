/// Bytes of a file that become others.
package struct Edit: Sendable, Equatable {
  package let range: Range<Int>
  package let replacement: String

  package init(_ range: Range<Int>, _ replacement: String) {
    self.range = range
    self.replacement = replacement
  }

  package static func insert(_ text: String, at offset: Int) -> Edit { Edit(offset..<offset, text) }
  package static func delete(_ range: Range<Int>) -> Edit { Edit(range, "") }
}
