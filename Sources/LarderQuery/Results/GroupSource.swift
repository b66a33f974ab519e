import LarderStorage

/// Where the rows come from that groups are made of.
package enum GroupSource: Hashable, Sendable {
  /// A row for each object.
  case objects(ResultsQuery)
  /// A row for each pair.
  case pairs(ResultsJoin)

  /// The classes of a row's objects.
  var classes: [ClassID] {
    switch self {
    case .objects(let query): [query.classID]
    case .pairs(let join): [join.left.classID, join.right.classID]
    }
  }

  /// What a path of a text leads to: of pairs, `Weather.hour` is of the right class, and what begins with no class of the left.
  package func side(_ path: String, _ schema: StoreSchema) -> (side: Int, path: String) {
    guard case .pairs = self, let dot = path.firstIndex(of: ".") else { return (0, path) }
    let first = String(path[..<dot])
    let owners = classes.map { schema[$0] }
    guard owners[0]?.column(named: first) == nil, let side = owners.lastIndex(where: { $0?.name == first }) else {
      return (0, path)
    }
    return (side, String(path[path.index(after: dot)...]))
  }

  /// Resolves a path that rows are grouped by. Throws `PredicateError`.
  package func key(
    _ path: String, side: Int, schema: StoreSchema, naming: PropertyNaming
  ) throws(PredicateError) -> GroupKey {
    GroupKey(try Binder(schema: schema, naming: naming).groupPath(path, in: classes[side]), side: side)
  }

  /// Resolves what is worked out over a group: a property, also over to-one links. Throws `PredicateError`.
  package func aggregate(
    _ operation: GroupOperation, _ path: String, side: Int, schema: StoreSchema, naming: PropertyNaming
  ) throws(PredicateError) -> GroupAggregate {
    guard operation != .count else { return GroupAggregate(.count, .presence) }
    let owner = classes[side]
    if !path.contains("."), let plain = operation.aggregate {
      let column = try ResultsQuery(owner).aggregateColumn(path, plain, schema: schema, naming: naming)
      return GroupAggregate(operation, column.id, side: side)
    }
    let target = try Binder(schema: schema, naming: naming).aggregatePath(path, in: owner)
    guard case .path(let found) = target, operation.isAvailable(for: found.type) else {
      throw PredicateError(.unsupportedAggregate, "\(operation.name) is not available for '\(path)'", text: path)
    }
    return GroupAggregate(operation, found.column, over: found.links, side: side)
  }
}

/// What rows are grouped by: a value of one of their objects.
package struct GroupKey: Hashable, Sendable {
  package var target: SortTarget
  /// 1 for the right object of pairs.
  package var side: Int

  package init(_ target: SortTarget, side: Int = 0) {
    self.target = target
    self.side = side
  }

  /// The type of the values; values of any type where it is not known before.
  var type: ColumnType { if case .path(let path) = target { path.type } else { .mixed } }
}

/// One number or value over the rows of a group.
package struct GroupAggregate: Hashable, Sendable {
  package var operation: GroupOperation
  /// To-one links that lead from the objects to those that have the property.
  package var links: [LinkStep]
  /// The property; not asked for `.count`.
  package var column: ColumnID
  /// 1 for the right object of pairs.
  package var side: Int

  package init(_ operation: GroupOperation, _ column: ColumnID, over links: [LinkStep] = [], side: Int = 0) {
    self.operation = operation
    self.links = links
    self.column = column
    self.side = side
  }

  package init(_ operation: AggregateOperator, _ column: ColumnID, over links: [LinkStep] = []) {
    self.init(GroupOperation(operation), column, over: links)
  }
}
