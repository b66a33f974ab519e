import LarderStorage

/// A place in ordered results: just after one object, known by its values, so that it stays where it is when the object changes or
/// goes (U-9).
package struct ResultsPosition: Hashable, Sendable {
  /// The object's value for each criterion of the sort.
  package var values: [SortValue]
  package var key: ObjectKey

  package init(values: [SortValue], key: ObjectKey) {
    self.values = values
    self.key = key
  }
}

extension ResultsQuery {
  /// The criteria of results in which there are positions: all objects of a class or a filter of them, sorted once or not at all.
  private func positionalOrder() throws(PredicateError) -> [SortKey] {
    if case .objects = source {
      if steps.isEmpty { return [] }
      if steps.count == 1, case .sort(let keys) = steps[0] { return keys }
    }
    throw PredicateError(
      .unsupportedSort,
      "Only the objects of a class, filtered and sorted, can be continued after one of them: continue before limit, offset, "
        + "distinct and relevance, and copy collections of other objects", text: "")
  }

  /// Returns the position of an object, whether or not it is among the results. Throws `PredicateError` where there are no positions.
  package func position(of key: ObjectKey, in reader: any StoreReader) throws -> ResultsPosition {
    let evaluator = RowEvaluator(reader)
    return ResultsPosition(
      values: try positionalOrder().map { try evaluator.sortValue($0.target, classID, key) }, key: key)
  }

  /// The results after a position.
  ///
  /// With an index in the order of the sort, what is before the position is not looked at. Throws `PredicateError` where there are
  /// no positions, or the position is one of another order.
  package func continued(
    behind position: ResultsPosition, schema: StoreSchema
  ) throws(PredicateError) -> ResultsQuery {
    let keys = try positionalOrder()
    guard keys.count == position.values.count else {
      throw PredicateError(.unsupportedSort, "The position belongs to results that are sorted otherwise", text: "")
    }
    var query = self
    if let first = keys.first, let least = first.condition(behind: position.values[0], schema[classID]) {
      query.predicate = predicate.map { $0.and(least) } ?? least
    }
    return query.appending([.after(position)])
  }

  /// The order of the results in words, to tell cursors of different ones apart.
  package func orderText(_ schema: StoreSchema) throws(PredicateError) -> String {
    let names = PredicateDescription(schema: schema)
    return names.className(classID)
      + (try positionalOrder().map { "\(names.text($0.target, classID)) \($0.isAscending) \($0.collation)" }.joined(
        separator: ", "))
  }
}

extension SortKey {
  /// Returns the condition that all objects after a value satisfy, where that is one comparison that an index or the ranges of leaves can answer: nil
  /// where nil or NaN come after it too.
  fileprivate func condition(behind value: SortValue, _ owner: ClassDescriptor?) -> BoundPredicate? {
    guard case .path(let path) = target, path.links.isEmpty, collation == .binary, !value.value.isNull,
      !ValueOrder.isNaN(value.value), value.value.type == path.type, let column = owner?.column(path.column)
    else { return nil }
    switch path.type {
    case .int, .string, .date: guard isAscending || !column.isOptional else { return nil }
    case .float, .double: guard isAscending else { return nil }
    default: return nil
    }
    return .value(path.column, ValueTest(path.type, isAscending ? .greaterOrEqual : .lessOrEqual, [value.value]))
  }
}

extension ResultsRun {
  /// The first `limit` objects after a position; `ordered` gives the first ones of the whole order.
  func keys(
    behind position: ResultsPosition, _ sortKeys: [SortKey], limit: Int, _ ordered: (_ limit: Int) throws -> [ObjectKey]
  ) throws -> [ObjectKey] {
    if sortKeys.isEmpty, query.predicate == nil, mode != .rowByRow {
      let scan = Scan(
        context: context, classID: query.classID, kernel: nil,
        firstCluster: Int(position.key.rawValue / UInt64(context.clusterSize)))
      let wanted = limit.addingReportingOverflow(context.clusterSize)
      let keys = try scan.keys(limit: wanted.overflow ? .max : wanted.partialValue)
      return Array(keys.drop { $0 <= position.key }.prefix(limit))
    }
    let evaluator = RowEvaluator(reader)
    let orders = sortKeys.map { SortOrder($0) }
    func isBehind(_ key: ObjectKey) throws -> Bool {
      for (number, order) in orders.enumerated() {
        let compared = order.compare(
          try evaluator.sortValue(sortKeys[number].target, query.classID, key), position.values[number])
        if compared != 0 { return compared > 0 }
      }
      return key > position.key
    }
    // How many share the position's first value is not known before.
    var wanted = limit.addingReportingOverflow(64)
    while true {
      let count = wanted.overflow ? .max : wanted.partialValue
      let keys = try ordered(count)
      var (low, high) = (0, keys.count)
      while low < high {
        let middle = (low + high) / 2
        if try isBehind(keys[middle]) { high = middle } else { low = middle + 1 }
      }
      if keys.count - low >= limit || keys.count < count || count == .max {
        return Array(keys[low...].prefix(limit))
      }
      wanted = count.multipliedReportingOverflow(by: 4)
    }
  }
}
