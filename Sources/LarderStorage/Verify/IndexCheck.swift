import LarderLMDB

/// Checks indexes of one and of several columns.
struct IndexCheck: StoreCheck {
  let snapshot: Snapshot
  let problems: ProblemList

  /// Each index holds exactly the class's objects, in the order of the values that the leaves hold.
  func checkIndexes(_ entry: ClassDescriptor) throws {
    for column in entry.columns where column.hasIndex {
      let place = "\(entry.name).\(column.name)"
      guard let codec = IndexValue.codec(for: column.type) else { continue }
      let tree = snapshot.store.tree(.index(entry.id, column.id), codec: codec)
      let reader = PairReader(tree, mostCopies: PairBlockFormat.mostPairs) { [snapshot] in
        try snapshot.transaction.cursor(snapshot.store.tables.indexes)
      }
      for problem in try reader.verify(limit: problems.limit) { report(.index, place, problem.description) }
      guard let index = try snapshot.index(entry.id, column.id) else { continue }
      try checkOrder(index, column, entry, place)
    }
    for index in entry.indexes { try checkComposite(CompositeIndex(index, entry), entry) }
    try TextIndexCheck(snapshot: snapshot, problems: problems).checkTextIndexes(entry)
  }

  /// An index over several columns holds each object under its values, and a unique one no values twice.
  private func checkComposite(_ index: CompositeIndex, _ entry: ClassDescriptor) throws {
    let place = "\(entry.name) (\(index.columns.map(\.name).joined(separator: ", ")))"
    let tree = snapshot.store.tree(.composite(entry.id, index.descriptor.id), codec: .bytes)
    let reader = PairReader(tree, mostCopies: PairBlockFormat.mostPairs) { [snapshot] in
      try snapshot.transaction.cursor(snapshot.store.tables.indexes)
    }
    for problem in try reader.verify(limit: problems.limit) { report(.index, place, problem.description) }
    guard let view = try snapshot.index(entry.id, composite: index.descriptor.id) else { return }
    let (count, expected) = (try view.entryCount(), try snapshot.count(of: entry.id))
    if count != expected { report(.index, place, "\(count) entries for \(expected) objects") }
    try forEachObject(entry) { key in
      guard !problems.isFull else { return }
      let values = try index.columns.map { try snapshot.value(entry.id, $0.id, key) }
      let found = try view.keys(equalTo: values)
      if !found.contains(key) { report(.index, place, "a look-up does not find object \(key.rawValue)") }
      if index.descriptor.isUnique, found.count > 1, !values.contains(where: \.isNull) {
        report(.index, place, "\(found.count) objects have the unique values of object \(key.rawValue)")
      }
    }
  }

  private func checkOrder(
    _ index: any IndexReading, _ column: ColumnDescriptor, _ entry: ClassDescriptor, _ place: String
  ) throws {
    var groups: [(value: StoredValue, keys: [ObjectKey])] = []
    // Where the index has no order, equal values need not follow each other.
    var places: [StoredValue: Int] = [:]
    // An entry that names an object under another one's value leaves the number of entries as it is.
    var seen: Set<ObjectKey> = []
    var count = 0
    var strays = 0
    try index.forEach(descending: false) { key in
      count += 1
      guard try snapshot.contains(entry.id, key) else {
        strays += 1
        return true
      }
      let value = try snapshot.value(entry.id, column.id, key)
      if !seen.insert(key).inserted { report(.index, place, "object \(key.rawValue) is there twice") }
      let place = groups.last?.value == value ? groups.count - 1 : places[value]
      if let place {
        groups[place].keys.append(key)
      } else {
        if !index.isOrdered { places[value] = groups.count }
        groups.append((value, [key]))
      }
      return true
    }
    if strays > 0 { report(.index, place, "\(strays) entries of objects that do not exist") }
    let expected = try snapshot.count(of: entry.id)
    if count - strays != expected { report(.index, place, "\(count - strays) entries for \(expected) objects") }
    for group in groups {
      guard !problems.isFull else { return }
      if column.isPrimaryKey, group.keys.count > 1 {
        report(.index, place, "\(group.keys.count) objects with the primary key \(group.value.shortDescription)")
      }
      if try index.keys(equalTo: group.value) != group.keys.sorted() {
        report(.index, place, "a look-up of \(group.value.shortDescription) does not find the objects that have it")
      }
    }
  }
}
