import LarderLMDB
import TestSupport
import Testing

@testable import LarderStorage

@Suite("Lists that are read here and there")
struct ListDirectoryTests {
  /// Far more positions than are read before a directory is made.
  private func check(
    _ list: some ListReading, _ model: [StoredValue], _ random: inout TestSupport.SeededRandom, _ place: String
  ) throws {
    #expect(list.count == model.count, "\(place)")
    guard !model.isEmpty else { return }
    for _ in 0..<300 {
      let position = random.int(0..<model.count)
      #expect(try list.value(at: position) == model[position], "position \(position), \(place)")
      // A neighbour, mostly of the same chunk.
      let next = min(position + 1, model.count - 1)
      #expect(try list.value(at: next) == model[next], "position \(next), \(place)")
    }
    #expect(try list.values() == model, "\(place)")
    for position in [0, model.count - 1] { #expect(try list.value(at: position) == model[position], "\(place)") }
  }

  @Test(
    "elements at random positions are those of an array after random edits",
    arguments: [ListLimits(elements: 5, bytes: 80, children: 3), ListLimits(elements: 40, bytes: 400, children: 8)])
  func randomEdits(_ limits: ListLimits) throws {
    var random = TestSupport.SeededRandom.forTest()
    let fixture = try ListFixture(.int, isOptional: true, limits: limits)
    for round in 0..<12 {
      try fixture.edit { editor, model, transaction in
        for _ in 0..<random.int(1...12) {
          let position = random.int(0...model.count)
          if random.oneIn(3), position < model.count {
            let range = position..<min(model.count, position + random.int(1...80))
            try editor.remove(range)
            model.removeSubrange(range)
          } else {
            let values = (0..<random.int(1...120)).map { _ -> StoredValue in
              random.oneIn(9) ? .null : .int(Int64(random.int(0...100_000)))
            }
            try editor.insert(values, at: position)
            model.insert(contentsOf: values, at: position)
          }
        }
        // In the transaction some chunks are decoded, some are as they were stored.
        #expect(try editor.values() == model, "round \(round), in the editor")
        if random.oneIn(2) {
          try editor.flush(transaction)
          try check(ListView(fixture.tree, get: transaction.get), model, &random, "round \(round), written")
        }
        try check(editor, model, &random, "round \(round), in the editor")
      }
      let model = fixture.model
      try fixture.withView { try check($0, model, &random, "round \(round)") }
    }
  }

  @Test("a damaged chunk is an error at its positions alone")
  func damage() throws {
    var random = TestSupport.SeededRandom.forTest()
    let fixture = try ListFixture(.int, limits: ListLimits(elements: 5, bytes: 80, children: 3))
    try fixture.edit { editor, model, _ in
      model = (0..<400).map { .int(Int64($0) * 7) }
      try editor.insert(model, at: 0)
    }
    // The leaf chunk with the first element; the root is chunk 0.
    let reading = try fixture.environment.beginRead()
    let hit = try #require(
      (1...100).first { number in
        guard case .leaf(let leaf)? = try? fixture.tree.chunk(UInt32(number), level: nil, get: reading.get) else {
          return false
        }
        return (try? leaf.value(0)) == .int(0)
      })
    try fixture.write { transaction in
      let key = fixture.tree.key(UInt32(hit))
      var bytes = Array(try #require(try transaction.get(fixture.tree.table, key)).buffer)
      bytes[20] ^= 4
      try transaction.put(fixture.tree.table, key, bytes)
    }
    try fixture.withView { view throws in
      for _ in 0..<200 {
        let position = random.int(5..<400)
        #expect(try view.value(at: position) == .int(Int64(position) * 7))
      }
      for position in 0..<5 { #expect(throws: StorageError.self) { try view.value(at: position) } }
      #expect(throws: StorageError.self) { try view.values() }
      #expect(try view.value(at: 399) == .int(399 * 7))
    }
  }
}
