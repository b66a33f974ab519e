import LarderStorage

extension Planner {
  /// The index of a column for a comparison, if it has one that helps.
  func indexCandidate(_ condition: BoundPredicate, _ classID: ClassID, _ position: Int) throws -> AccessCandidate? {
    switch condition {
    case .value(let column, let test): return try indexCandidate(test, column, classID, position)
    case .isObject(let keys):
      let reader = context.reader
      return AccessCandidate(position: position, estimate: keys.count, costPerObject: 50, label: { "object keys" }) {
        try keys.sorted().filter { try reader.contains(classID, $0) }
      }
    case .or(let children): return try unionCandidate(children, classID, position)
    default: return nil
    }
  }

  private func indexCandidate(
    _ test: ValueTest, _ column: ColumnID, _ classID: ClassID, _ position: Int
  ) throws -> AccessCandidate? {
    guard test.options.isEmpty, Self.isIndexable(test.type), let access = IndexAccess(test),
      let index = try context.reader.index(classID, column)
    else { return nil }
    context.counters.indexSeeks += 1
    let reader = context.reader
    let label = { "index \(try reader.descriptor(classID, column).name) \(access.label)" }
    if case .equal(let values) = access, values.count == 1, Self.isSelective(test.type) {
      // Most often one or a few: the keys cost no more than their number.
      let keys = try index.keys(equalTo: values[0])
      return AccessCandidate(position: position, estimate: keys.count, costPerObject: 15, label: label) { keys }
    }
    let estimate =
      switch access {
      case .equal(let values): try values.reduce(0) { $0 + (try index.count(equalTo: $1)) }
      case .range(let lower, let upper): try index.count(from: lower, to: upper)
      }
    return AccessCandidate(position: position, estimate: estimate, costPerObject: 15, label: label) {
      switch access {
      case .equal(let values) where values.count == 1: try index.keys(equalTo: values[0])
      case .equal(let values): Self.merged(try values.flatMap { try index.keys(equalTo: $0) })
      case .range(let lower, let upper): Self.merged(try index.keys(from: lower, to: upper))
      }
    }
  }

  private static func isSelective(_ type: ColumnType) -> Bool {
    type == .string || type == .uuid || type == .objectId
  }

  /// OR of conditions that all have an index.
  private func unionCandidate(
    _ children: [BoundPredicate], _ classID: ClassID, _ position: Int
  ) throws -> AccessCandidate? {
    var parts: [AccessCandidate] = []
    for child in children {
      guard let part = try indexCandidate(child, classID, position) else { return nil }
      parts.append(part)
    }
    guard !parts.isEmpty else { return nil }
    let label = { "union of " + (try parts.map { try $0.label() }).joined(separator: ", ") }
    return AccessCandidate(
      position: position, estimate: parts.reduce(0) { $0 + $1.estimate }, costPerObject: 20, label: label
    ) {
      Self.merged(try parts.flatMap { try $0.keys() })
    }
  }

  /// Number of objects where one index answers the whole predicate, without fetching keys.
  func indexCount(_ predicate: BoundPredicate, _ classID: ClassID) throws -> Int? {
    guard case .value(let column, let test) = predicate, test.options.isEmpty, Self.isIndexable(test.type),
      case .equal(let values)? = IndexAccess(test), let index = try context.reader.index(classID, column)
    else { return nil }
    context.counters.indexSeeks += values.count
    return try values.reduce(0) { $0 + (try index.count(equalTo: $1)) }
  }

  /// Floating-point columns have no index worth asking: equal numbers have several forms.
  static func isIndexable(_ type: ColumnType) -> Bool {
    switch type {
    case .bool, .int, .string, .date, .uuid, .objectId: true
    default: false
    }
  }

  static func merged(_ keys: [ObjectKey]) -> [ObjectKey] {
    let sorted = keys.sorted()
    var result: [ObjectKey] = []
    result.reserveCapacity(sorted.count)
    for key in sorted where key != result.last { result.append(key) }
    return result
  }
}

/// What a comparison asks of an index.
enum IndexAccess {
  /// Distinct values.
  case equal([StoredValue])
  case range(IndexBound, IndexBound)

  /// nil where an index is of no use: `!=`, LIKE, CONTAINS, ranges against nil.
  init?(_ test: ValueTest) {
    guard let value = test.values.first else { return nil }
    let hasNull = test.values.contains(.null)
    switch test.operation {
    case .equal: self = .equal([value])
    case .in: self = .equal(Array(Set(test.values)))
    case .less where !hasNull: self = .range(.unbounded, .exclusive(value))
    case .lessOrEqual where !hasNull: self = .range(.unbounded, .inclusive(value))
    case .greater where !hasNull: self = .range(.exclusive(value), .unbounded)
    case .greaterOrEqual where !hasNull: self = .range(.inclusive(value), .unbounded)
    case .between where !hasNull && test.values.count == 2 && ValueOrder.compare(value, test.values[1]) <= 0:
      self = .range(.inclusive(value), .inclusive(test.values[1]))
    case .beginsWith:
      guard case .string(let prefix) = value, let end = Self.successor(prefix) else { return nil }
      self = .range(.inclusive(value), .exclusive(.string(end)))
    default: return nil
    }
  }

  /// The smallest string above all that begin with the prefix.
  private static func successor(_ prefix: String) -> String? {
    guard let last = prefix.unicodeScalars.last else { return nil }
    let next: UInt32 = last.value == 0xD7FF ? 0xE000 : last.value + 1
    guard let scalar = Unicode.Scalar(next) else { return nil }
    var scalars = prefix.unicodeScalars
    scalars.removeLast()
    scalars.append(scalar)
    return String(scalars)
  }

  var label: String {
    switch self {
    case .equal(let values): values.count == 1 ? "== \(values[0].shortDescription)" : "in \(values.count) values"
    case .range(let lower, let upper): "from \(Self.text(lower)) to \(Self.text(upper))"
    }
  }

  private static func text(_ bound: IndexBound) -> String {
    switch bound {
    case .unbounded: "the end"
    case .inclusive(let value): value.shortDescription
    case .exclusive(let value): value.shortDescription + " (without)"
    }
  }
}
