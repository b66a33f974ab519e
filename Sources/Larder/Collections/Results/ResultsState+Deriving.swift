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

  func filtered(_ node: PredicateNode, text: String) throws -> ResultsState {
    let (query, cursor) = try objects("filtered")
    if isWithoutTable(query) { return self }
    try PredicateArguments.check(node, in: core)
    let binder = Binder(schema: core.schema, naming: core.naming, text: text)
    return ResultsState(core, .objects(query.filtered(try binder.bind(node, to: query.classID)), cursor), projection)
  }

  func filtered(_ text: String, arguments: [Any]) throws -> ResultsState {
    let (query, cursor) = try objects("filtered")
    if isWithoutTable(query) { return self }
    let bound = try core.prepared.bind(
      text, try PredicateArguments.arguments(arguments, in: core), to: query.classID, in: core.schema,
      naming: core.naming)
    return ResultsState(core, .objects(query.filtered(bound), cursor), projection)
  }

  func filtered(rql text: String, arguments: [Any]) throws -> ResultsState {
    let (query, cursor) = try objects("filtered")
    if isWithoutTable(query) { return self }
    let arguments = try PredicateArguments.arguments(arguments, in: core)
    return ResultsState(
      core, .objects(try query.filtered(rql: text, arguments, schema: core.schema, naming: core.naming), cursor),
      projection)
  }

  /// Whether nothing can ever match because a read-only file lacks the class; predicates are not even looked at (Q-3).
  private func isWithoutTable(_ query: ResultsQuery) -> Bool {
    core.configuration.readOnly && !core.currentSnapshot().stores(query.classID)
  }

  /// Steps that need no names.
  func changed(_ what: String, _ change: (ResultsQuery) -> ResultsQuery) throws -> ResultsState {
    let (query, cursor) = try objects(what)
    return ResultsState(core, .objects(change(query), cursor), projection)
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
      return ResultsState(core, .values(list, isAscending: descriptors[0].ascending, isDistinct: isDistinct))
    }
    let (query, cursor) = try objects("sorted")
    let binder = Binder(schema: core.schema, naming: core.naming)
    let keys = try descriptors.map {
      try binder.sortKey($0.keyPath, ascending: $0.ascending, collation: $0.collation.text, in: query.classID)
    }
    return ResultsState(core, .objects(query.sorted(keys), cursor), projection)
  }

  func sortedByRelevance() throws -> ResultsState {
    let (query, cursor) = try objects("sorted")
    return ResultsState(core, .objects(try query.sortedByRelevance(), cursor), projection)
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
      return ResultsState(core, .values(list, isAscending: isAscending, isDistinct: true))
    }
    let (query, cursor) = try objects("made distinct")
    return ResultsState(
      core, .objects(try query.distinct(keyPaths, schema: core.schema, naming: core.naming), cursor), projection)
  }

  /// Position of the first element that satisfies a predicate, among the elements as they are (Q-167).
  func firstIndex(of node: PredicateNode, text: String) throws -> Int? {
    try PredicateArguments.check(node, in: core)
    let binder = Binder(schema: core.schema, naming: core.naming, text: text)
    switch source {
    case .objects(let query, _):
      let bound = try binder.bind(node, to: query.classID)
      let keys = evaluatedKeys()
      let matching = ResultsQuery(.keys(query.classID, keys), predicate: bound)
      return try matching.first(in: core.reader).flatMap { keys.firstIndex(of: $0) }
    case .values(let location, _, _):
      let descriptor = try core.reader.descriptor(location.cursor.classID, location.column)
      let bound = try binder.bindElements(node, descriptor.type, isOptional: descriptor.isOptional)
      return evaluatedValues().firstIndex { bound.matches($0) }
    }
  }
}
