import LarderStorage

/// A test of one column: loads the leaf, answers nulls, and leaves the values to its subclass.
class ColumnKernel: Kernel {
  /// The result of a subclass for a leaf.
  enum Outcome {
    case none, all
    /// The words were written.
    case mixed
  }

  let classID: ClassID
  let column: ColumnDescriptor
  let nullMatches: Bool
  /// The answer for slots that have no value in the leaf.
  let initialMatches: Bool

  init(_ context: ExecutionContext, _ classID: ClassID, _ column: ColumnDescriptor, _ test: ValueTest) {
    self.classID = classID
    self.column = column
    self.nullMatches = test.matches(.null)
    self.initialMatches = test.matches(.initial(column))
    super.init(context)
  }

  /// Sets the bits of matching values among the candidates; bits of nulls, and those outside of the candidates or the
  /// leaf, may come out either way.
  func scan(
    _ leaf: LeafView, _ cluster: Int, _ candidates: UnsafePointer<UInt64>, _ result: UnsafeMutablePointer<UInt64>
  ) throws -> Outcome {
    preconditionFailure("a column kernel scans")
  }

  final override func evaluate(
    _ cluster: Int, _ candidates: UnsafePointer<UInt64>, _ result: UnsafeMutablePointer<UInt64>
  ) throws {
    guard let leaf = try context.leaf(classID, column.id, cluster), leaf.count > 0 else {
      return fill(candidates, result, with: initialMatches)
    }
    let outcome = try scan(leaf, cluster, candidates, result)
    if case .mixed = outcome {
    } else {
      context.counters.clustersSkipped += 1
      for index in 0..<context.stride { result[index] = outcome == .all ? .max : 0 }
    }
    finish(leaf, candidates, result)
  }

  /// Puts in the answers for nulls and for slots beyond the leaf, and cuts to the candidates.
  @inline(__always)
  private func finish(
    _ leaf: LeafView, _ candidates: UnsafePointer<UInt64>, _ result: UnsafeMutablePointer<UInt64>
  ) {
    let pointers = leaf.pointers
    for index in 0..<context.stride {
      var word = result[index]
      let rest = leaf.count - index << 6
      if pointers.nulls != nil, rest > 0 {
        let nulls = pointers.nullWord(index)
        word = nullMatches ? word | nulls : word & ~nulls
      }
      if rest < 64 {
        let inside: UInt64 = rest <= 0 ? 0 : 1 << UInt64(rest) - 1
        word = word & inside | (initialMatches ? ~inside : 0)
      }
      result[index] = word & candidates[index]
    }
  }

  /// Writes one bit per candidate for which `test` holds, visiting only candidates.
  @inline(__always)
  final func visit(
    _ leaf: LeafView, _ candidates: UnsafePointer<UInt64>, _ result: UnsafeMutablePointer<UInt64>,
    _ test: (Int) throws -> Bool
  ) rethrows {
    let pointers = leaf.pointers
    let count = leaf.count
    for index in 0..<context.stride {
      var matched: UInt64 = 0
      let rest = count - index << 6
      guard rest > 0 else {
        result[index] = 0
        continue
      }
      var word = candidates[index] & ~pointers.nullWord(index)
      if rest < 64 { word &= 1 << UInt64(rest) - 1 }
      while word != 0 {
        let bit = word.trailingZeroBitCount
        if try test(index << 6 &+ bit) { matched |= 1 << UInt64(bit) }
        word &= word &- 1
      }
      result[index] = matched
    }
  }

  /// Writes one bit per slot for which `test` holds, without looking at the candidates within a word unless they are few.
  @inline(__always)
  final func sweep(
    _ leaf: LeafView, _ candidates: UnsafePointer<UInt64>, _ result: UnsafeMutablePointer<UInt64>,
    _ test: (Int) -> Bool
  ) {
    let count = leaf.count
    for index in 0..<context.stride {
      let first = index << 6
      guard candidates[index] != 0, first < count else {
        result[index] = 0
        continue
      }
      if CandidateWord.isSparse(candidates[index]) {
        result[index] = CandidateWord.test(candidates[index], below: count &- first) { test(first &+ $0) }
        continue
      }
      var matched: UInt64 = 0
      let slots = min(64, count &- first)
      for bit in 0..<slots { matched |= (test(first &+ bit) ? 1 : 0) &<< UInt64(bit) }
      result[index] = matched
    }
  }

  override var label: String { "column \(column.name)" }
}
