import LarderStorage

extension ResultsQuery {
  /// Smallest value of a column, nil when there is none. Throws `unsupportedAggregate` for other types than
  /// numbers and dates.
  package func minimum(_ column: ColumnID, in reader: any StoreReader) throws -> StoredValue {
    try ColumnAggregate(self, column, reader, .min).result()
  }

  /// Largest value of a column, nil when there is none.
  package func maximum(_ column: ColumnID, in reader: any StoreReader) throws -> StoredValue {
    try ColumnAggregate(self, column, reader, .max).result()
  }

  /// Sum of a column: an integer (wrapping) for Int, a Decimal128 for Decimal128 and values of any type, else a Double;
  /// zero when there is no value.
  package func sum(_ column: ColumnID, in reader: any StoreReader) throws -> StoredValue {
    try ColumnAggregate(self, column, reader, .sum).result()
  }

  /// Average of a column as a Double, of Decimal128 and values of any type as a Decimal128; nil when there is no value.
  package func average(_ column: ColumnID, in reader: any StoreReader) throws -> StoredValue {
    try ColumnAggregate(self, column, reader, .average).result()
  }

  /// The column's values in the order of the results.
  package func values(of column: ColumnID, in reader: any StoreReader) throws -> [StoredValue] {
    let classID = classID
    return try keys(in: reader).map { try reader.value(classID, column, $0) }
  }

  /// Finds the column of an aggregate by its public name. Throws `PredicateError`.
  package func aggregateColumn(
    _ name: String, _ aggregate: AggregateOperator, schema: StoreSchema, naming: PropertyNaming = .stored
  ) throws(PredicateError) -> ColumnDescriptor {
    let path = KeyPathNode([.init(name, SourceRange(0, name.utf8.count))], range: SourceRange(0, name.utf8.count))
    let column = try Binder(schema: schema, naming: naming, text: name).paths.resolve(path, in: classID).column
    guard aggregate.isAvailable(for: column.type), column.collection == .none else {
      throw PredicateError(
        .unsupportedAggregate, "\(aggregate.rawValue.dropFirst()) is not available for the property '\(name)'",
        text: name)
    }
    return column
  }
}

/// One aggregate over the results of a query.
private struct ColumnAggregate {
  let query: ResultsQuery
  let column: ColumnDescriptor
  let run: ResultsRun
  let aggregate: AggregateOperator

  init(_ query: ResultsQuery, _ column: ColumnID, _ reader: any StoreReader, _ aggregate: AggregateOperator) throws {
    self.query = query
    self.column = try reader.descriptor(query.classID, column)
    self.run = try ResultsRun(query, reader, .planned)
    self.aggregate = aggregate
  }

  func result() throws -> StoredValue {
    let isOrdered = aggregate == .min || aggregate == .max
    switch column.type {
    case .int, .float, .double: break
    case .date where isOrdered, .decimal128, .mixed:
      return Aggregation(aggregate, over: try query.values(of: column.id, in: run.reader), of: column.type).result
    default:
      throw PredicateError(
        .unsupportedAggregate,
        "\(aggregate.rawValue.dropFirst()) is not available for the \(column.type.displayName) property '\(column.name)'"
      )
    }
    let onlySorted = query.steps.allSatisfy(\.isOnlyOrder)
    let fold: NumericFold
    if onlySorted, case .objects(let classID) = query.source {
      if let predicate = run.query.predicate {
        fold = try self.fold(try Planner(run.context).select(predicate, classID).scan())
      } else {
        fold = try self.fold(Scan(context: run.context, classID: classID, kernel: nil))
      }
    } else {
      fold = try self.fold(try run.keys())
    }
    return fold.answer(aggregate, column.type)
  }

  private func fold(_ scan: Scan) throws -> NumericFold {
    var fold = NumericFold(.init(aggregate))
    let context = run.context
    let hasInitial = !StoredValue.initial(column).isNull
    try scan.forEachCluster { cluster, words in
      let leaf = try context.leaf(query.classID, column.id, cluster)
      if let leaf {
        switch column.type {
        case .int: fold.addIntegers(leaf, words, stride: context.stride)
        case .double: fold.addDoubles(leaf, words, stride: context.stride)
        default: fold.addFloats(leaf, words, stride: context.stride)
        }
      }
      if hasInitial {
        for _ in 0..<Self.beyond(leaf?.count ?? 0, words, context.stride) { fold.add(.initial(column)) }
      }
      return true
    }
    return fold
  }

  /// Number of chosen slots that have no value in the leaf.
  private static func beyond(_ count: Int, _ words: UnsafePointer<UInt64>, _ stride: Int) -> Int {
    var slots = 0
    for index in (count >> 6)..<max(count >> 6, stride) {
      let inside = count - index << 6
      let word = inside > 0 && inside < 64 ? words[index] & ~(1 << UInt64(inside) - 1) : words[index]
      slots += inside >= 64 ? 0 : word.nonzeroBitCount
    }
    return slots
  }

  private func fold(_ keys: [ObjectKey]) throws -> NumericFold {
    var fold = NumericFold(.init(aggregate))
    let access = try ColumnAccess(run.context, query.classID, column.id)
    for key in keys { fold.add(try access.value(key.rawValue)) }
    return fold
  }
}
