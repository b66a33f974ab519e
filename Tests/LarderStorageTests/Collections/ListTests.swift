import Foundation
import LarderLMDB
import TestSupport
import Testing

@testable import LarderStorage

@Suite("Lists")
struct ListTests {
  @Test("a million elements: bulk, random access, edits in the middle")
  func million() throws {
    var random = TestSupport.SeededRandom.forTest()
    let fixture = try ListFixture(.int)
    let count = 1_000_000
    try fixture.edit { editor, _, _ in try editor.insert((0..<count).map { .int(Int64($0) * 3) }, at: 0) }
    #expect(try fixture.entryCount() < count / 480 + 20)
    try fixture.withView { view throws in
      #expect(view.count == count)
      for _ in 0..<500 {
        let position = random.int(0..<count)
        #expect(try view.value(at: position) == .int(Int64(position) * 3))
      }
    }
    try fixture.edit { editor, _, _ in
      try editor.insert([.int(-1)], at: 500_000)
      try editor.set(at: 3, .int(-2))
      try editor.remove(700_000..<900_000)
      try editor.move(from: 0, to: editor.count - 1)
    }
    try fixture.withView { view throws in
      #expect(view.count == count + 1 - 200_000)
      #expect(try view.value(at: 499_999) == .int(-1))
      #expect(try view.value(at: 2) == .int(-2))
      #expect(try view.value(at: 699_998) == .int(699_998 * 3))
      #expect(try view.value(at: 699_999) == .int(899_999 * 3))
      #expect(try view.value(at: view.count - 1) == .int(0))
    }
    #expect(try fixture.problems() == [])
    try fixture.edit { editor, _, _ in try editor.clear() }
    #expect(try fixture.entryCount() == 0)
  }

  @Test("appending one at a time, with commits between, fills chunks")
  func appending() throws {
    let fixture = try ListFixture(.link)
    for start in stride(from: 0, to: 6_000, by: 250) {
      try fixture.edit { editor, model, _ in
        for number in start..<start + 250 {
          let value = StoredValue.link(ObjectKey(rawValue: UInt64(number)))
          try editor.insert([value], at: editor.count)
          model.append(value)
        }
      }
    }
    #expect(try fixture.contents() == fixture.model)
    #expect(try fixture.entryCount() == 1 + (6_000 + 479) / 480)
    #expect(try fixture.problems() == [])
  }

  @Test("inserting again and again at one place leaves no swarm of small chunks")
  func insertingInPlace() throws {
    let fixture = try ListFixture(.string, limits: ListLimits(elements: 20, bytes: 200, children: 8))
    try fixture.edit { editor, model, _ in
      for number in 0..<2_000 {
        let position = number / 2
        try editor.insert([.string("value \(number)")], at: position)
        model.insert(.string("value \(number)"), at: position)
      }
    }
    #expect(try fixture.contents() == fixture.model)
    #expect(try fixture.entryCount() < 400)
    #expect(try fixture.problems() == [])
  }

  @Test("removing most elements gives the chunks back")
  func shrinking() throws {
    let fixture = try ListFixture(.int, limits: ListLimits(elements: 10, bytes: 400, children: 4))
    try fixture.edit { editor, model, _ in
      model = (0..<3_000).map { .int($0) }
      try editor.insert(model, at: 0)
    }
    while fixture.model.count > 5 {
      try fixture.edit { editor, model, _ in
        for position in stride(from: model.count - 1, through: 0, by: -2) {
          try editor.remove(position..<position + 1)
          model.remove(at: position)
        }
      }
      #expect(try fixture.contents() == fixture.model)
      #expect(try fixture.problems() == [])
    }
    #expect(try fixture.entryCount() <= 8)
  }

  @Test("an inserted and cleared list leaves nothing, an empty one is not stored")
  func emptyLists() throws {
    let fixture = try ListFixture(.string, isOptional: true)
    try fixture.edit { editor, _, transaction in
      try editor.insert([], at: 0)
      try editor.insert([.string(String(repeating: "x", count: 50_000)), .null], at: 0)
      try editor.flush(transaction)
      try editor.clear()
      try editor.insert([.null], at: 0)
      try editor.clear()
    }
    #expect(try fixture.entryCount() == 0)
    try fixture.withView { view throws in
      #expect(view.count == 0)
      try view.forEachChunk { _, _ in
        Issue.record("an empty list has no chunk")
        return true
      }
    }
  }

  @Test("walking stops on request")
  func stopping() throws {
    let fixture = try ListFixture(.int, limits: ListLimits(elements: 4, bytes: 400, children: 3))
    try fixture.edit { editor, _, _ in try editor.insert((0..<100).map { .int($0) }, at: 0) }
    var chunks = 0
    try fixture.withView { view throws in
      try view.forEachChunk { _, _ in
        chunks += 1
        return chunks < 3
      }
    }
    #expect(chunks == 3)
  }

  @Test("the objects of a column that hold elements are found")
  func objects() throws {
    let fixture = try ListFixture(.int)
    try fixture.edit { editor, _, _ in try editor.insert((0..<2_000).map { .int($0) }, at: 0) }
    let transaction = try fixture.environment.beginRead()
    let objects = try ListTree.objects(
      ClassID(rawValue: 3), ColumnID(rawValue: 4), cursor: transaction.cursor(fixture.tree.table))
    #expect(objects.map(\.rawValue) == [49, 50, 51])
  }

  @Test("verify finds damage in every kind of chunk; reads throw or differ, but never trap")
  func damageIsFound() throws {
    let fixture = try ListFixture(.string, limits: ListLimits(elements: 8, bytes: 400, children: 3))
    try fixture.edit { editor, _, _ in
      try editor.insert((0..<100).map { .string("value \($0)") }, at: 0)
      try editor.insert([.string(String(repeating: "big", count: 8_000))], at: 50)
    }
    var entries: [(KeyBytes, [UInt8])] = []
    do {
      let transaction = try fixture.environment.beginRead()
      let cursor = try transaction.cursor(fixture.tree.table)
      var entry = try cursor.first()
      while let found = entry {
        if found.key.loadBigEndian(8, as: UInt64.self) == fixture.tree.object.rawValue {
          entries.append((KeyBytes(bytes: found.key.buffer), found.value.bytes))
        }
        entry = try cursor.next()
      }
    }
    #expect(entries.count > 20)
    for (index, (key, bytes)) in entries.enumerated() {
      var damaged = bytes
      damaged[(index * 13) % min(bytes.count, 6_000)] ^= 0x04
      try fixture.write { try $0.put(fixture.tree.table, key, damaged) }
      #expect(try !fixture.problems().isEmpty, "entry \(index)")
      _ = try? fixture.contents()
      try fixture.write { try $0.delete(fixture.tree.table, key) }
      let problems = try fixture.problems()
      #expect(index == 0 || !problems.isEmpty, "entry \(index) removed")
      _ = try? fixture.contents()
      try fixture.write { try $0.put(fixture.tree.table, key, bytes) }
    }
    #expect(try fixture.problems() == [])
    // A sound chunk in the place of another.
    try fixture.write { try $0.put(fixture.tree.table, entries[3].0, entries[4].1) }
    #expect(try !fixture.problems().isEmpty)
  }
}
