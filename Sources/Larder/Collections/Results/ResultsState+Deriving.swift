import LarderQuery
import LarderStorage

/// Results that are made of others.
extension ResultsState {
  /// The query, where the elements are objects; throws for values.
  func objects(_ what: String) throws -> (ResultsQuery, _ClassCursor) {
    check()
    guard case .objects(let query, let cursor) = source else {
      throw Realm.Error.invalid(
        "Only collections of objects can be \(what); this one holds values. Use a copy: Array(list).")
    }
    return (query, cursor)
  }

  /// Steps that need no names.
  func changed(_ what: String, _ change: (ResultsQuery) -> ResultsQuery) throws -> ResultsState {
    let (query, cursor) = try objects(what)
    return ResultsState(host, .objects(change(query), cursor), projection)
  }

  func sorted(_ descriptors: [SortDescriptor]) -> ResultsState { orMisuse { try sorting(descriptors) } }

  /// Sorts; no descriptors leave the order as it is (Q-150).
  func sorting(_ descriptors: [SortDescriptor]) throws -> ResultsState {
    if descriptors.isEmpty { return self }
    if case .values(let list, _, let isDistinct) = source {
      guard descriptors.count == 1, descriptors[0].keyPath.lowercased() == "self" else {
        throw Realm.Error.invalid(
          "Values of \(list.name) can only be sorted by \"self\", once; they have no property '\(descriptors.last?.keyPath ?? "")'."
        )
      }
      return ResultsState(host, .values(list, isAscending: descriptors[0].ascending, isDistinct: isDistinct))
    }
    let (query, cursor) = try objects("sorted")
    let binder = Binder(schema: host.schema, naming: host.naming)
    let keys = try descriptors.map {
      try binder.sortKey($0.keyPath, ascending: $0.ascending, collation: $0.collation.text, in: query.classID)
    }
    return ResultsState(host, .objects(query.sorted(keys), cursor), projection)
  }

  func sortedByRelevance() throws -> ResultsState {
    let (query, cursor) = try objects("sorted")
    return ResultsState(host, .objects(try query.sortedByRelevance(), cursor), projection)
  }

  func distinct(_ keyPaths: [String]) -> ResultsState { orMisuse { try distinguishing(keyPaths) } }

  /// Keeps the first of each tuple; no key paths leave all.
  func distinguishing(_ keyPaths: [String]) throws -> ResultsState {
    if keyPaths.isEmpty { return self }
    if case .values(let list, let isAscending, _) = source {
      guard keyPaths.count == 1, keyPaths[0].lowercased() == "self" else {
        throw Realm.Error.invalid(
          "Values of \(list.name) can only be made distinct by \"self\"; they have no property '\(keyPaths[0])'.")
      }
      return ResultsState(host, .values(list, isAscending: isAscending, isDistinct: true))
    }
    let (query, cursor) = try objects("made distinct")
    return ResultsState(
      host, .objects(try query.distinct(keyPaths, schema: host.schema, naming: host.naming), cursor), projection)
  }

}
