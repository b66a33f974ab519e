import LarderStorage

/// The source of the rows that groups are made of.
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

  /// Resolves what rows are grouped by: a path, or what is computed. Throws `PredicateError`.
  package func key(
    _ text: String, _ arguments: [PredicateArgument] = [], side: Int, schema: StoreSchema, naming: PropertyNaming
  ) throws(PredicateError) -> GroupKey {
    GroupKey(try Binder(schema: schema, naming: naming).groupPath(text, arguments, in: classes[side]), side: side)
  }

  /// Resolves what is worked out over a group: of a property, also over to-one links, or of what is computed. Throws `PredicateError`.
  package func aggregate(
    _ operation: GroupOperation, _ text: String, _ arguments: [PredicateArgument] = [], side: Int, schema: StoreSchema,
    naming: PropertyNaming
  ) throws(PredicateError) -> GroupAggregate {
    guard operation != .count else { return .count }
    let owner = classes[side]
    let isComputed = ValueExpression.isComputed(text, of: owner, in: schema)
    if !text.contains("."), !text.contains("["), !isComputed, let plain = operation.aggregate {
      let column = try ResultsQuery(owner).aggregateColumn(text, plain, schema: schema, naming: naming)
      return GroupAggregate(operation, column, side: side)
    }
    let target = try Binder(schema: schema, naming: naming).groupPath(
      text, arguments, in: owner, purpose: "work out anything of")
    let found = GroupAggregate(operation, target, side: side)
    guard operation.isAvailable(for: found.type) else {
      throw PredicateError(
        .unsupportedAggregate, "\(operation.name) is not available for '\(text)'", text: text,
        range: SourceRange(0, text.utf8.count))
    }
    return found
  }
}

/// The key that rows are grouped by: a value of one of their objects.
package struct GroupKey: Hashable, Sendable {
  package var target: SortTarget
  /// 1 for the right object of pairs.
  package var side: Int

  package init(_ target: SortTarget, side: Int = 0) {
    self.target = target
    self.side = side
  }

  /// The type of the values; values of any type where it is not known before.
  var type: ColumnType { target.type }
}

/// One number or value over the rows of a group.
package struct GroupAggregate: Hashable, Sendable {
  package var operation: GroupOperation
  /// The value that it is computed from; does not matter for `.count`.
  package var target: SortTarget
  /// 1 for the right object of pairs.
  package var side: Int

  package init(_ operation: GroupOperation, _ target: SortTarget, side: Int = 0) {
    (self.operation, self.target, self.side) = (operation, target, side)
  }

  package init(_ operation: GroupOperation, _ column: ColumnDescriptor, over links: [LinkStep] = [], side: Int = 0) {
    self.init(operation, .path(BoundPath(links: links, column: column.id, type: column.type)), side: side)
  }

  /// The number of rows.
  package static let count = GroupAggregate(.count, .operand(.constant(.null)))

  /// The type of the values that it is worked out of; values of any type where it is not known before.
  package var type: ColumnType { target.type }
}

extension SortTarget {
  /// The type of the values; values of any type where it is not known before.
  package var type: ColumnType {
    switch self {
    case .path(let path): path.type
    case .operand(let operand): operand.type ?? .mixed
    }
  }
}
