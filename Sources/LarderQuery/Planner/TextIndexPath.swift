import LarderStorage

/// The full-text index of a property, asked for one search.
struct TextIndexPath: AccessPath {
  let context: ExecutionContext
  let classID: ClassID
  let column: ColumnDescriptor
  let index: TextIndexView
  let text: String
  let query: TextQuery
  let answers: [Int]
  let estimate: Int
  /// Entries of the index that are read, or an upper bound.
  let entries: Int

  var cost: Double {
    let terms = query.alternatives.joined()
    let phrases = terms.contains { $0.words.count > 1 } ? Double(estimate) * TextKernel.searchCost : 0
    return Double(terms.count) * PlanCost.seek + Double(entries) * PlanCost.sortedKey + phrases
  }

  var node: PlanNode {
    PlanNode(.textIndex, "full-text index \(column.name) TEXT \"\(text)\"", estimate: estimate)
  }

  func find() throws -> [ObjectKey] {
    let found = try query.alternatives.map { try keys(of: $0) }
    return found.count == 1 ? found[0] : try context.ascending(found.flatMap { $0 }, classID)
  }

  /// The objects of which all terms hold.
  private func keys(of terms: [TextQuery.Term]) throws -> [ObjectKey] {
    var common: [ObjectKey]?
    for term in terms where !term.isExcluded {
      for (place, word) in term.words.enumerated() {
        let keys = try keys(of: word, isPrefix: term.isPrefix && place == term.words.count - 1)
        common = common.map { IntersectionPath.common($0, keys) } ?? keys
        if common?.isEmpty == true { return [] }
      }
    }
    for term in terms where term.isExcluded && term.words.count == 1 {
      let excluded = Set(try keys(of: term.words[0], isPrefix: term.isPrefix))
      common?.removeAll { excluded.contains($0) }
    }
    guard terms.contains(where: { $0.words.count > 1 }) else { return common ?? [] }
    // The index does not know where words stand: phrases are looked for in the texts that have their words.
    let access = try ColumnAccess(context, classID, column.id)
    return try (common ?? []).filter { key in
      context.counters.objectsExamined += 1
      return try access.withBytes(key.rawValue) { bytes in
        TextQuery.holds(terms, TextWords.words(of: String(decoding: bytes, as: UTF8.self)))
      } ?? false
    }
  }

  private func keys(of word: String, isPrefix: Bool) throws -> [ObjectKey] {
    context.counters.indexSeeks += 1
    let keys = try index.keys(of: word, isPrefix: isPrefix)
    context.counters.indexEntries += keys.count
    return try context.ascending(keys, classID)
  }
}

/// Offers full-text indexes for TEXT.
enum TextIndexes: AccessSource {
  static func paths(for conditions: Conditions, _ context: ExecutionContext) throws -> [any AccessPath] {
    try conditions.all.enumerated().compactMap { position, condition in
      guard case .value(let id, let test) = condition, test.operation == .text,
        case .string(let text)? = test.first, let index = try context.reader.textIndex(conditions.classID, id)
      else { return nil }
      return try path(position, id, index, text, conditions, context)
    }
  }

  private static func path(
    _ position: Int, _ column: ColumnID, _ index: TextIndexView, _ text: String, _ conditions: Conditions,
    _ context: ExecutionContext
  ) throws -> TextIndexPath? {
    let query = TextQuery(text)
    // Without a word that must occur there is nothing to look up.
    guard query.alternatives.allSatisfy({ $0.contains { !$0.isExcluded } }) else { return nil }
    // Nor where words that begin so are asked for, and the index has hashes of whole words.
    guard index.hasPrefixes || !query.alternatives.joined().contains(where: \.isPrefix) else { return nil }
    var (estimate, entries) = (0, 0)
    for terms in query.alternatives {
      var least = conditions.objects
      for term in terms {
        for (place, word) in term.words.enumerated() {
          context.counters.indexSeeks += 1
          let isPrefix = term.isPrefix && place == term.words.count - 1
          let count = try index.count(of: word, isPrefix: isPrefix, limit: conditions.objects)
          entries += count
          if !term.isExcluded { least = min(least, count) }
        }
      }
      estimate += least
    }
    return TextIndexPath(
      context: context, classID: conditions.classID,
      column: try context.reader.descriptor(conditions.classID, column), index: index, text: text, query: query,
      answers: [position], estimate: min(conditions.objects, estimate), entries: entries)
  }
}
