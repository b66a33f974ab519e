import LarderLMDB

extension ListTree {
  /// Checks every chunk of the list: checksums, counts, levels, large values, and that no stored chunk is left over.
  ///
  /// - Returns: The problems found; empty when the list is sound.
  package func verify(
    cursor: some CursorReading, get: (Table, KeyBytes) throws -> ByteView?
  ) throws -> [StructureProblem] {
    var problems: [StructureProblem] = []
    var seen: Set<UInt32> = []
    verify(Self.root, level: nil, count: nil, &seen, &problems, get)
    if let root = try? chunk(Self.root, level: nil, get: get), case .inner(let inner) = root,
      let highest = seen.max(), inner.nextChunk <= highest
    {
      problems.append(
        problem(Self.root, "would give the number \(inner.nextChunk) to a new chunk, and has chunk \(highest)"))
    }
    for number in try storedChunks(cursor) where !seen.contains(number) {
      problems.append(problem(number, "is not part of the list"))
    }
    return problems
  }

  private func problem(_ number: UInt32, _ message: String) -> StructureProblem {
    StructureProblem(table: table.name, key: key(number), message)
  }

  private func verify(
    _ number: UInt32, level: Int?, count: Int?, _ seen: inout Set<UInt32>, _ problems: inout [StructureProblem],
    _ get: (Table, KeyBytes) throws -> ByteView?
  ) {
    guard seen.insert(number).inserted else {
      problems.append(problem(number, "is part of the list twice"))
      return
    }
    do {
      guard let chunk = try chunk(number, level: level, get: get) else { return }
      if chunk.count == 0 { problems.append(problem(number, "is empty")) }
      if let count, count != chunk.count { problems.append(problem(number, "is counted wrongly")) }
      switch chunk {
      case .leaf(let leaf):
        if let problem = leaf.problem() { problems.append(self.problem(number, "holds \(problem)")) }
        if !isOptional, leaf.nullCount > 0 { problems.append(problem(number, "holds nil where none may be")) }
        _ = try largeValues(number, leaf, get: get)
      case .inner(let inner):
        let total = (0..<inner.count).reduce(0) { $0 + inner.elements($1) }
        if total != inner.total { problems.append(problem(number, "does not add up")) }
        for index in 0..<inner.count {
          verify(inner.chunk(index), level: inner.level - 1, count: inner.elements(index), &seen, &problems, get)
        }
      }
    } catch {
      problems.append(problem(number, "\(error)"))
    }
  }

  /// Keys of the objects that have something stored in a list column, ascending.
  package static func objects(_ classID: ClassID, _ column: ColumnID, cursor: some CursorReading) throws -> [ObjectKey]
  {
    let word = StoreLayout.columnWord(classID, column)
    var result: [ObjectKey] = []
    var entry = try cursor.seek(KeyBytes(word))
    while let found = entry, found.key.count == 24, found.key.loadBigEndian(0, as: UInt64.self) == word {
      let key = found.key.loadBigEndian(8, as: UInt64.self)
      result.append(ObjectKey(rawValue: key))
      guard key < .max else { break }
      entry = try cursor.seek(KeyBytes(word, key + 1))
    }
    return result
  }
}
