import LarderStorage

/// The numbers of an expression for the slots of one cluster.
///
/// A node fills its own for the candidates it is given; slots of others hold anything. Belongs to one run on one thread.
class Lanes {
  /// The representation of the numbers. Floats are doubles that are rounded after each operation.
  enum Kind {
    case integers, floats, doubles

    init?(_ type: ColumnType) {
      switch type {
      case .int: self = .integers
      case .float: self = .floats
      case .double: self = .doubles
      default: return nil
      }
    }

    var isReal: Bool { self != .integers }
  }

  let context: ExecutionContext
  let kind: Kind
  /// One for each slot, with whole words of 64; for integers or for reals, the other has no places.
  let integers: UnsafeMutablePointer<Int64>
  let reals: UnsafeMutablePointer<Double>
  /// Bits of the slots without a value.
  let nulls: UnsafeMutablePointer<UInt64>

  init(_ context: ExecutionContext, _ kind: Kind) {
    self.context = context
    self.kind = kind
    let slots = context.stride << 6
    integers = Self.zeros(kind.isReal ? 0 : slots)
    reals = Self.zeros(kind.isReal ? slots : 0)
    nulls = Self.zeros(context.stride)
  }

  deinit {
    integers.deallocate()
    reals.deallocate()
    nulls.deallocate()
  }

  private static func zeros<Value: ExpressibleByIntegerLiteral>(_ count: Int) -> UnsafeMutablePointer<Value> {
    let places = UnsafeMutablePointer<Value>.allocate(capacity: max(1, count))
    places.initialize(repeating: 0, count: max(1, count))
    return places
  }

  /// Puts the numbers of the candidates into their places.
  func fill(_ cluster: Int, _ candidates: UnsafePointer<UInt64>) throws {
    preconditionFailure("lanes fill themselves")
  }

  /// Rough nanoseconds per object.
  var cost: Double { 1 }

  /// Calls `body` with the slots of each word that has candidates: all 64 of it, or the few.
  @inline(__always)
  final func forEachSlot(_ candidates: UnsafePointer<UInt64>, _ body: (Int) throws -> Void) rethrows {
    for index in 0..<context.stride {
      var word = candidates[index]
      if word == 0 { continue }
      if CandidateWord.isSparse(word) {
        while word != 0 {
          try body(index << 6 &+ word.trailingZeroBitCount)
          word &= word &- 1
        }
      } else {
        for slot in (index << 6)..<(index << 6 &+ 64) { try body(slot) }
      }
    }
  }

  /// Calls `body` with each candidate.
  @inline(__always)
  final func forEachCandidate(_ candidates: UnsafePointer<UInt64>, _ body: (Int) throws -> Void) rethrows {
    for index in 0..<context.stride {
      var word = candidates[index]
      while word != 0 {
        try body(index << 6 &+ word.trailingZeroBitCount)
        word &= word &- 1
      }
    }
  }

  @inline(__always)
  final func setNull(_ slot: Int) { nulls[slot >> 6] |= 1 << UInt64(slot & 63) }

  /// Puts a value of any number type into a place.
  final func set(_ slot: Int, _ value: StoredValue) {
    switch (value, kind) {
    case (.int(let number), .integers): integers[slot] = number
    case (.int(let number), .floats): reals[slot] = Double(Float(number))
    case (.int(let number), .doubles): reals[slot] = Double(number)
    case (.float(let number), _) where kind.isReal: reals[slot] = Double(number)
    case (.double(let number), _) where kind.isReal: reals[slot] = number
    default: setNull(slot)
    }
  }

  /// The number of a slot that was filled.
  final func value(_ slot: Int) -> StoredValue {
    if nulls[slot >> 6] & 1 << UInt64(slot & 63) != 0 { return .null }
    return switch kind {
    case .integers: .int(integers[slot])
    case .floats: .float(Float(reals[slot]))
    case .doubles: .double(reals[slot])
    }
  }

  final func clearNulls() { for index in 0..<context.stride { nulls[index] = 0 } }
}

/// The same number everywhere.
final class ConstantLanes: Lanes {
  init(_ context: ExecutionContext, _ kind: Kind, _ value: StoredValue) {
    super.init(context, kind)
    for slot in 0..<(context.stride << 6) { set(slot, value) }
  }

  override func fill(_ cluster: Int, _ candidates: UnsafePointer<UInt64>) throws {}
  override var cost: Double { 0 }
}

/// Lanes for values without lanes of their own: aggregates, subscripts, the contents of collections. One object at a time.
final class RowLanes: Lanes {
  private let classID: ClassID
  private let operand: BoundOperand
  private let evaluator: RowEvaluator

  init(_ context: ExecutionContext, _ kind: Kind, _ classID: ClassID, _ operand: BoundOperand) {
    self.classID = classID
    self.operand = operand
    evaluator = RowEvaluator(context.reader)
    super.init(context, kind)
  }

  override func fill(_ cluster: Int, _ candidates: UnsafePointer<UInt64>) throws {
    clearNulls()
    let first = UInt64(cluster) * UInt64(context.clusterSize)
    try forEachCandidate(candidates) { slot in
      context.counters.rowsExamined += 1
      set(slot, try evaluator.value(operand, classID, ObjectKey(rawValue: first + UInt64(slot))))
    }
  }

  override var cost: Double { 2000 }
}
