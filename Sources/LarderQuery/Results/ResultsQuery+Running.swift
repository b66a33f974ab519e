import LarderStorage

extension ResultsQuery {
  /// The keys of the results in order, at most `limit` of them.
  package func keys(in reader: any StoreReader, limit: Int = .max, mode: Mode = .planned) throws -> [ObjectKey] {
    try ResultsRun(self, reader, mode).keys(limit: limit)
  }

  /// Number of results; counts bits or entries of an index where nothing needs the keys.
  package func count(in reader: any StoreReader, mode: Mode = .planned) throws -> Int {
    if mode == .planned, let wanted = indexed,
      let count = try reader.indexedCount(wanted.classID, wanted.column, equalTo: wanted.value)
    {
      return count
    }
    return try ResultsRun(self, reader, mode).count()
  }

  /// The first result; stops at it where there is no sort.
  package func first(in reader: any StoreReader) throws -> ObjectKey? {
    if let wanted = indexed {
      switch try reader.indexedKey(wanted.classID, wanted.column, equalTo: wanted.value) {
      case .key(let key): return key
      case .none: return nil
      case .noIndex: break
      }
    }
    return try keys(in: reader, limit: 1).first
  }

  /// The lookup that an index answers without a plan: one column equals one value, and that is all.
  private var indexed: (classID: ClassID, column: ColumnID, value: StoredValue)? {
    guard steps.isEmpty, case .objects(let classID) = source, case .value(let column, let test)? = predicate,
      test.operation == .equal, test.options.isEmpty, IndexRequest.isIndexable(test.type),
      let value = test.first, !ValueOrder.isNaN(value)
    else { return nil }
    return (classID, column, value)
  }

  /// Returns true if an object is among the results: O(1) where no step cuts or drops any; nil where they must be found for that.
  package func contains(_ key: ObjectKey, in reader: any StoreReader) throws -> Bool? {
    guard case .objects = source, steps.allSatisfy(\.isOnlyOrder) else { return nil }
    return try matches(key, in: reader)
  }

  /// Returns true if an object satisfies the filter, whatever the source and the steps are. False for a missing object.
  package func matches(_ key: ObjectKey, in reader: any StoreReader) throws -> Bool {
    guard try reader.contains(classID, key) else { return false }
    guard let predicate else { return true }
    return try RowEvaluator(reader).matches(predicate, classID, key)
  }
}

extension ResultsQuery {
  /// True if it may look at anything but the rows of its class: indexes of others, backlinks, an order.
  var looksBeyondRows: Bool {
    guard case .objects = source else { return true }
    return predicate?.looksBeyondRows ?? false
      || steps.contains { step in
        switch step {
        case .limit, .offset: false
        case .sort, .relevance, .distinct, .after, .filter: true
        }
      }
  }
}

extension BoundPredicate {
  var looksBeyondRows: Bool {
    switch self {
    case .constant, .value, .isObject, .anyValue: false
    case .and(let parts), .or(let parts): parts.contains(where: \.looksBeyondRows)
    case .not(let part): part.looksBeyondRows
    case .through, .anyElement, .compare, .quantified, .isWithin: true
    }
  }
}
