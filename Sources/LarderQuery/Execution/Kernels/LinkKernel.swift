import LarderStorage

/// Links whose target is in a set of keys, worked out once for the target class.
///
/// A link to an object that is not there counts as nil (L-8).
final class LinkKernel: Kernel {
  private let classID: ClassID
  private let step: LinkStep
  private let whenNil: Bool
  private let makeTargets: () throws -> KeySet
  private let inner: Kernel?
  /// The targets for which the answer differs from `whenNil`.
  private lazy var targets = Result { try makeTargets() }

  /// - Parameter targets: makes the set of live target objects for which the answer is not `whenNil`; called once, before
  ///   the first leaf is read.
  init(
    _ context: ExecutionContext, _ classID: ClassID, _ step: LinkStep, whenNil: Bool, inner: Kernel?,
    targets: @escaping () throws -> KeySet
  ) {
    self.classID = classID
    self.step = step
    self.whenNil = whenNil
    self.inner = inner
    self.makeTargets = targets
    super.init(context)
  }

  override func evaluate(
    _ cluster: Int, _ candidates: UnsafePointer<UInt64>, _ result: UnsafeMutablePointer<UInt64>
  ) throws {
    let targets = try targets.get()
    guard let leaf = try context.leaf(classID, step.column, cluster) else {
      return fill(candidates, result, with: whenNil)
    }
    let pointers = leaf.pointers
    for index in 0..<context.stride {
      var matched: UInt64 = 0
      let rest = leaf.count - index << 6
      var word = rest <= 0 ? 0 : candidates[index] & ~pointers.nullWord(index)
      if rest < 64, rest > 0 { word &= 1 << UInt64(rest) - 1 }
      while word != 0 {
        let bit = word.trailingZeroBitCount
        let key = UInt64(bitPattern: pointers.int(index << 6 &+ bit))
        if targets.contains(key) { matched |= 1 << UInt64(bit) }
        word &= word &- 1
      }
      result[index] = (whenNil ? ~matched : matched) & candidates[index]
    }
  }

  override var cost: Double { 6 }
  override var label: String { "link over column \(step.column.rawValue)" }
  override var children: [Kernel] { inner.map { [$0] } ?? [] }
}
