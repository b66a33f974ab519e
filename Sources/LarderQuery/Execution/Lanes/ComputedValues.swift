import LarderStorage

/// Computes values of objects in any order: cluster by cluster where there are lanes, else object by object.
struct ComputedValues {
  private let context: ExecutionContext
  private let classID: ClassID
  private let operand: BoundOperand
  private let lanes: Lanes?

  init(_ context: ExecutionContext, _ classID: ClassID, _ operand: BoundOperand) throws {
    (self.context, self.classID, self.operand) = (context, classID, operand)
    lanes = try LaneCompiler(context: context, classID: classID).compile(operand)
  }

  /// Calls `body` with each place and its value, in order; nil of `noKey`.
  ///
  /// - Parameter isShared: Whether objects are there many times, so that each is computed once.
  func forEach(_ objects: [UInt64], isShared: Bool, _ body: (Int, StoredValue) throws -> Void) throws {
    guard let lanes else { return try forEachRow(objects, isShared: isShared, body) }
    if staysInClusters(objects) { return try sweep(lanes, objects, body) }
    // Objects in an order of their own, as of sorted results or on the right of pairs.
    let sorted = Set(objects).sorted()
    var values: [UInt64: StoredValue] = [:]
    values.reserveCapacity(sorted.count)
    try sweep(lanes, sorted) { values[sorted[$0]] = $1 }
    for (place, object) in objects.enumerated() { try body(place, values[object] ?? .null) }
  }

  /// From how many objects of one cluster after each other on it pays to fill lanes for them.
  private static let fewest = 8

  /// Returns true if the objects are in the order of their keys, or rarely go on in another cluster.
  private func staysInClusters(_ objects: [UInt64]) -> Bool {
    let size = UInt64(context.clusterSize)
    var (runs, isAscending) = (0, true)
    var (cluster, last): (UInt64, UInt64) = (noKey, 0)
    for object in objects where object != noKey {
      if object < last { isAscending = false }
      if object / size != cluster { runs += 1 }
      (cluster, last) = (object / size, object)
    }
    return isAscending || runs <= objects.count / Self.fewest
  }

  private func sweep(_ lanes: Lanes, _ objects: [UInt64], _ body: (Int, StoredValue) throws -> Void) throws {
    let size = UInt64(context.clusterSize)
    try withUnsafeTemporaryAllocation(of: UInt64.self, capacity: context.stride) { buffer in
      guard let candidates = buffer.baseAddress else { return }
      var start = 0
      while start < objects.count {
        guard objects[start] != noKey else {
          try body(start, .null)
          start += 1
          continue
        }
        let cluster = objects[start] / size
        let first = cluster &* size
        for index in 0..<context.stride { candidates[index] = 0 }
        var end = start
        while end < objects.count, objects[end] >= first, objects[end] &- first < size {
          let slot = Int(truncatingIfNeeded: objects[end] &- first)
          candidates[slot >> 6] |= 1 << UInt64(slot & 63)
          end += 1
        }
        try lanes.fill(Int(truncatingIfNeeded: cluster), candidates)
        for place in start..<end {
          try body(place, lanes.value(Int(truncatingIfNeeded: objects[place] &- first)))
        }
        start = end
      }
    }
  }

  private func forEachRow(
    _ objects: [UInt64], isShared: Bool, _ body: (Int, StoredValue) throws -> Void
  ) throws {
    let evaluator = RowEvaluator(context.reader)
    var known: [UInt64: StoredValue] = [:]
    for (place, object) in objects.enumerated() {
      guard object != noKey else {
        try body(place, .null)
        continue
      }
      if isShared, let value = known[object] {
        try body(place, value)
        continue
      }
      try context.interruption?.check()
      context.counters.rowsExamined += 1
      let value = try evaluator.value(operand, classID, ObjectKey(rawValue: object))
      if isShared { known[object] = value }
      try body(place, value)
    }
  }
}
