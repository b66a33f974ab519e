import AdoptRewriting
import Testing

@Suite struct EditListTests {
  private let source = SourceText("0123456789")

  @Test("edits are applied in the order of their places")
  func order() throws {
    let list = try EditList([.insert("b", at: 8), Edit(2..<4, "X"), .insert("a", at: 0), .delete(5..<6)])
    #expect(list.applied(to: source).string == "a01X467b89")
  }

  @Test("an edit within a larger one is dropped, and the same one twice is one")
  func nested() throws {
    let list = try EditList([.delete(2..<8), Edit(3..<4, "X"), Edit(0..<1, "Y"), Edit(0..<1, "Y"), .delete(6..<9)])
    #expect(list.applied(to: source).string == "Y19")
  }

  @Test("two edits of one place are an error")
  func conflict() {
    #expect(throws: EditConflict.self) { try EditList([Edit(2..<4, "X"), Edit(2..<4, "Y")]) }
    #expect(throws: EditConflict.self) { try EditList([Edit(2..<4, "X"), Edit(3..<6, "Y")]) }
  }

  @Test("offsets move with the bytes they are of")
  func moved() throws {
    let list = try EditList([.insert("ab", at: 1), .delete(3..<5), Edit(6..<7, "xyz")])
    let after = list.applied(to: source)
    for offset in [0, 1, 2, 5, 7, 8, 9] {
      #expect(after.bytes[list.moved(offset)] == source.bytes[offset], "\(offset)")
    }
    #expect(list.moved(4) == 5 && list.moved(10) == after.count)
    #expect(list.moved(Edit(7..<9, "!")) == Edit(9..<11, "!") && list.moved(Edit(4..<6, "!")) == nil)
  }
}
