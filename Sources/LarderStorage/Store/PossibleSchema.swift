/// A damaged schema without what no store can have: values matter more than indexes and rules.
struct PossibleSchema {
  private(set) var record: SchemaRecord
  /// The parts that were left out, each in a sentence.
  private(set) var problems: [String] = []

  init(_ record: SchemaRecord) {
    self.record = record
    removeDoubles()
    for number in self.record.classes.indices {
      var entry = self.record.classes[number]
      makePossible(&entry)
      self.record.classes[number] = entry
    }
  }

  /// Of classes with one number or one name the first stays, and so of columns: the leaves of both are the same.
  private mutating func removeDoubles() {
    var (numbers, names) = (Set<ClassID>(), Set<String>())
    var found: [String] = []
    record.classes.removeAll { entry in
      guard entry.id.rawValue > 0, !entry.name.isEmpty, numbers.insert(entry.id).inserted else {
        found.append("The schema has class '\(entry.name)' with a number that it cannot have; it was left out.")
        return true
      }
      return false
    }
    problems += found
    for number in record.classes.indices {
      let name = record.classes[number].name
      guard !names.insert(name).inserted else { continue }
      record.classes[number].name = Self.free(name, in: names)
      names.insert(record.classes[number].name)
      problems.append("The schema has two classes '\(name)'; one is '\(record.classes[number].name)' in the copy.")
    }
  }

  private static func free(_ name: String, in taken: Set<String>) -> String {
    var number = 2
    while taken.contains("\(name)_\(number)") { number += 1 }
    return "\(name)_\(number)"
  }

  private mutating func makePossible(_ entry: inout ClassDescriptor) {
    removeDoubles(&entry)
    var hasPrimary = false
    for number in entry.columns.indices {
      var column = entry.columns[number]
      let isSingle = column.collection == .none
      if column.type != .link { column.target = nil }
      if !isSingle || IndexValue.codec(for: column.type) == nil {
        (column.isIndexed, column.isPrimaryKey) = (false, false)
      }
      if !isSingle || column.type != .string { column.isFullText = false }
      if column.isPrimaryKey, entry.isEmbedded || hasPrimary || !Self.primaryTypes.contains(column.type) {
        column.isPrimaryKey = false
      }
      // One link leads to an object or to none; elements of a list or set are never without one.
      if column.type == .link { column.isOptional = isSingle || column.collection == .map }
      if column.type == .mixed { column.isOptional = true }
      hasPrimary = hasPrimary || column.isPrimaryKey
      guard column != entry.columns[number] else { continue }
      problems.append("The schema says impossible things of '\(entry.name).\(column.name)'; they were left out.")
      entry.columns[number] = column
    }
    removeLinksToNowhere(&entry)
    removeIndexes(&entry)
  }

  private static let primaryTypes: Set<ColumnType> = [.int, .string, .objectId, .uuid]

  private mutating func removeDoubles(_ entry: inout ClassDescriptor) {
    var (numbers, names) = (Set<ColumnID>(), Set<String>())
    let name = entry.name
    entry.columns.removeAll { column in
      guard column.id != .presence, !column.name.isEmpty, numbers.insert(column.id).inserted else {
        problems.append("The schema has '\(name).\(column.name)' with a number that it cannot have; it was left out.")
        return true
      }
      return false
    }
    for number in entry.columns.indices {
      let column = entry.columns[number].name
      guard !names.insert(column).inserted else { continue }
      entry.columns[number].name = Self.free(column, in: names)
      names.insert(entry.columns[number].name)
      problems.append(
        "The schema has two properties '\(name).\(column)'; one is '\(entry.columns[number].name)' in the copy.")
    }
  }

  private mutating func removeLinksToNowhere(_ entry: inout ClassDescriptor) {
    let name = entry.name
    let targets = Dictionary(uniqueKeysWithValues: record.classes.map { ($0.id, $0) })
    entry.columns.removeAll { column in
      guard column.type == .link else { return false }
      let target = column.target.flatMap { targets[$0] }
      if let target, !(target.isEmbedded && column.collection == .set) { return false }
      problems.append("The schema does not say what '\(name).\(column.name)' links to; it was left out.")
      return true
    }
  }

  private mutating func removeIndexes(_ entry: inout ClassDescriptor) {
    let columns = entry.columns
    let count = entry.indexes.count
    var numbers: Set<UInt16> = []
    entry.indexes.removeAll { index in
      let isPossible = index.columns.allSatisfy { id in
        columns.contains { $0.id == id && $0.collection == .none && $0.type != .link && $0.type.hasIndexOrder }
      }
      return !isPossible || index.columns.isEmpty || Set(index.columns).count < index.columns.count
        || !numbers.insert(index.id).inserted
    }
    if entry.indexes.count < count {
      problems.append("The schema names impossible indexes of '\(entry.name)'; they were left out.")
    }
  }
}
