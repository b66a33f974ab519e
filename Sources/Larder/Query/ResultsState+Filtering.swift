import LarderQuery
import LarderStorage

/// Results that are made of others by a predicate.
extension ResultsState {
  func filtered(_ node: PredicateNode, text: String) throws -> ResultsState {
    let (query, cursor) = try objects("filtered")
    if isWithoutTable(query) { return self }
    try PredicateArguments.check(node, in: host)
    let binder = Binder(schema: host.schema, naming: host.naming, text: text)
    return ResultsState(host, .objects(query.filtered(try binder.bind(node, to: query.classID)), cursor), projection)
  }

  func filtered(_ text: String, arguments: [Any]) throws -> ResultsState {
    let (query, cursor) = try objects("filtered")
    if isWithoutTable(query) { return self }
    let bound =
      if arguments.count == 1 {
        // The usual number, without an array of what is compared.
        try host.prepared.bind(
          text, try PredicateArguments.argument(arguments[0], in: host), to: query.classID, in: host.schema,
          naming: host.naming)
      } else {
        try host.prepared.bind(
          text, try PredicateArguments.arguments(arguments, in: host), to: query.classID, in: host.schema,
          naming: host.naming)
      }
    return ResultsState(host, .objects(query.filtered(bound), cursor), projection)
  }

  /// A condition written in Swift. One that was used lately with another constant is not resolved again.
  func filtered(_ condition: QueryCondition) throws -> ResultsState {
    guard let simple = condition.simpleComparison else { return try filtered(try condition.predicate(), text: "") }
    let (query, cursor) = try objects("filtered")
    if isWithoutTable(query) { return self }
    try PredicateArguments.check(simple.argument, in: host)
    let bound = try host.prepared.bind(
      property: simple.property, simple.operation, simple.options, simple.argument, to: query.classID, in: host.schema,
      naming: host.naming)
    return ResultsState(host, .objects(query.filtered(bound), cursor), projection)
  }

  func filtered(rql text: String, arguments: [Any]) throws -> ResultsState {
    let (query, cursor) = try objects("filtered")
    if isWithoutTable(query) { return self }
    let arguments = try PredicateArguments.arguments(arguments, in: host)
    return ResultsState(
      host, .objects(try query.filtered(rql: text, arguments, schema: host.schema, naming: host.naming), cursor),
      projection)
  }

  /// Returns true if nothing can ever match because a read-only file lacks the class; predicates are not even looked at.
  private func isWithoutTable(_ query: ResultsQuery) -> Bool {
    host.isReadOnly && !host.currentSnapshot().stores(query.classID)
  }

  /// Position of the first element that satisfies a predicate, among the elements as they are.
  func firstIndex(of node: PredicateNode, text: String) throws -> Int? {
    try PredicateArguments.check(node, in: host)
    let binder = Binder(schema: host.schema, naming: host.naming, text: text)
    switch source {
    case .objects(let query, _):
      let bound = try binder.bind(node, to: query.classID)
      let keys = evaluatedKeys()
      let matching = ResultsQuery(.keys(query.classID, keys), predicate: bound)
      return try matching.first(in: host.reader).flatMap { keys.firstIndex(of: $0) }
    case .values(let location, _, _):
      let descriptor = try host.reader.descriptor(location.cursor.classID, location.column)
      let bound = try binder.bindElements(node, descriptor.type, isOptional: descriptor.isOptional)
      return evaluatedValues().firstIndex { bound.matches($0) }
    }
  }
}
