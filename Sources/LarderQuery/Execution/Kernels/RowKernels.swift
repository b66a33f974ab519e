import LarderStorage

/// Visits the candidates one object at a time.
class RowKernel: Kernel {
  let classID: ClassID

  init(_ context: ExecutionContext, _ classID: ClassID) {
    self.classID = classID
    super.init(context)
  }

  func matches(_ key: ObjectKey) throws -> Bool { preconditionFailure("a row kernel matches") }

  final override func evaluate(
    _ cluster: Int, _ candidates: UnsafePointer<UInt64>, _ result: UnsafeMutablePointer<UInt64>
  ) throws {
    let first = UInt64(cluster) * UInt64(context.clusterSize)
    for index in 0..<context.stride {
      var matched: UInt64 = 0
      var word = candidates[index]
      while word != 0 {
        let bit = word.trailingZeroBitCount
        context.counters.rowsExamined += 1
        if try matches(ObjectKey(rawValue: first + UInt64(index << 6 + bit))) { matched |= 1 << UInt64(bit) }
        word &= word &- 1
      }
      result[index] = matched
    }
  }

  override var cost: Double { 500 }
}

/// The object itself is one of a few.
final class ObjectKernel: RowKernel {
  private let keys: Set<ObjectKey>

  init(_ context: ExecutionContext, _ classID: ClassID, _ keys: Set<ObjectKey>) {
    self.keys = keys
    super.init(context, classID)
  }

  override func matches(_ key: ObjectKey) throws -> Bool { keys.contains(key) }
  override var cost: Double { 10 }
  override var label: String { "is one of \(keys.count) objects" }
}

/// Some object of a list is in a set of keys, worked out once for the target class.
final class AnyElementKernel: RowKernel {
  private let step: ListStep
  private let inner: Kernel?
  private let makeTargets: () throws -> KeySet
  private lazy var targets = Result { try makeTargets() }

  init(
    _ context: ExecutionContext, _ classID: ClassID, _ step: ListStep, inner: Kernel?,
    targets: @escaping () throws -> KeySet
  ) {
    self.step = step
    self.inner = inner
    self.makeTargets = targets
    super.init(context, classID)
  }

  override func matches(_ key: ObjectKey) throws -> Bool {
    let targets = try targets.get()
    var found = false
    context.counters.listsRead += 1
    try context.reader.reading(step, classID, key).forEachChunk { _, leaf in
      let pointers = leaf.pointers
      for slot in 0..<leaf.count
      where !pointers.isNull(slot) && targets.contains(UInt64(bitPattern: pointers.int(slot))) {
        found = true
        return false
      }
      return true
    }
    return found
  }

  override var label: String { "any of list column \(step.column.rawValue)" }
  override var children: [Kernel] { inner.map { [$0] } ?? [] }
}

/// Some value of a list of primitives passes a test.
final class AnyValueKernel: RowKernel {
  private let step: ListStep
  private let test: ValueTest
  private let matcher: TextMatcher?

  init(_ context: ExecutionContext, _ classID: ClassID, _ step: ListStep, _ test: ValueTest) {
    self.step = step
    self.test = test
    let isText = step.elementType == .string || step.elementType == .data
    self.matcher =
      isText && test.operation != .in
      ? test.first.flatMap { TextMatcher(test.operation, $0, test.options) } : nil
    super.init(context, classID)
  }

  override func matches(_ key: ObjectKey) throws -> Bool {
    var found = false
    context.counters.listsRead += 1
    let list = try context.reader.reading(step, classID, key)
    try list.forEachChunk { first, leaf in
      let pointers = leaf.pointers
      for slot in 0..<leaf.count {
        if let matcher, !pointers.isLarge(slot), !pointers.isNull(slot) {
          found = matcher.matches(pointers.bytes(slot))
        } else {
          found = test.matches(pointers.isLarge(slot) ? try list.value(at: first + slot) : try leaf.value(slot))
        }
        if found { return false }
      }
      return true
    }
    return found
  }

  override var label: String { "any value of list column \(step.column.rawValue)" }
}

/// Evaluates what has no kernel: columns against columns, aggregates, subqueries.
final class OracleKernel: RowKernel {
  private let predicate: BoundPredicate
  private let evaluator: RowEvaluator

  init(_ context: ExecutionContext, _ classID: ClassID, _ predicate: BoundPredicate) {
    self.predicate = predicate
    self.evaluator = RowEvaluator(context.reader)
    super.init(context, classID)
  }

  override func matches(_ key: ObjectKey) throws -> Bool {
    try context.interruption?.check()
    return try evaluator.matches(predicate, classID, key)
  }

  override var cost: Double { 2000 }
  override var label: String { "row by row" }
}
