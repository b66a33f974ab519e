import TestSupport
import Testing

@testable import LarderStorage

/// The lists that a transaction keeps open: opened once, written once, closed when they take too much.
@Suite(.notUnder(.littleMemory, "lists are closed at other times")) struct OpenListsTests {
  @Test("A list is opened once, and written by each flush that finds it changed")
  func opening() throws {
    let fixture = try LinkedLists()
    try fixture.store.write { writer in
      let keys = try fixture.fill(writer, 10, in: fixture.list)
      #expect(writer.openLists.count == 1 && writer.openLists.hasChanges)
      let owner = try writer.classWriter(fixture.owner)
      let first = try writer.collections.open(owner, fixture.list, fixture.object)
      try writer.flush()
      #expect(writer.openLists.count == 1 && !writer.openLists.hasChanges)
      #expect(writer.openLists.writtenElements == 10)
      try writer.lists.insert(fixture.owner, fixture.list, fixture.object, at: 0, [.link(keys[3])])
      #expect(try writer.collections.open(owner, fixture.list, fixture.object) === first)
      #expect(writer.openLists.changed.map(\.id) == [first.id])
      try writer.flush()
      // What was written twice counts twice: it is a bound on what a root may count.
      #expect(writer.openLists.writtenElements == 21)
    }
    #expect(try fixture.store.snapshot.list(fixture.owner, fixture.list, fixture.object).count == 11)
  }

  @Test("Lists that take more than the limit are written and closed, and changes of one that was closed are kept")
  func limit() throws {
    let fixture = try LinkedLists()
    try fixture.store.write { writer in
      _ = try fixture.fill(writer, 1_000, in: fixture.list)
      let owner = try writer.classWriter(fixture.owner)
      let list = try writer.collections.open(owner, fixture.list, fixture.object)
      let isOverAtFirst = writer.openLists.isOverLimit()
      #expect(!isOverAtFirst && writer.openLists.bytes > 0)
      writer.listLimit = 1
      let isOver = writer.openLists.isOverLimit()
      #expect(isOver)
      _ = try fixture.fill(writer, 5, in: fixture.mixed)
      #expect(!list.isRegistered && writer.openLists.hasClosed)
      writer.listLimit = 1 << 20
      // The closed list may be in a caller's hands still: registering it makes it known again.
      try list.editor.remove(0..<1)
      writer.openLists.register(list)
      #expect(list.isRegistered && writer.openLists[list.id] === list)
    }
    #expect(try fixture.store.snapshot.list(fixture.owner, fixture.list, fixture.object).count == 999)
  }

  @Test("What was learnt in searching a long list outlives its closing, and nothing outlives an undone part")
  func searches() throws {
    let fixture = try LinkedLists()
    try fixture.store.write { writer in
      let keys = try fixture.fill(writer, 20_000, in: fixture.list)
      try writer.delete(fixture.item, keys[19_000])
      try writer.closeLists()
      #expect(writer.openLists.count == 0 && writer.openLists.searches.count == 1)
      struct Undone: Error {}
      #expect(throws: Undone.self) {
        try writer.savepoint {
          try writer.lists.clear(fixture.owner, fixture.list, fixture.object)
          throw Undone()
        }
      }
      #expect(writer.openLists.count == 0 && !writer.openLists.hasChanges && writer.openLists.searches.isEmpty)
      #expect(try writer.list(fixture.owner, fixture.list, fixture.object).count == 19_999)
    }
  }
}
