import LarderStorage

/// Booleans: whole words at a time.
final class BoolKernel: ColumnKernel {
  private let acceptsTrue: Bool
  private let acceptsFalse: Bool

  override init(_ context: ExecutionContext, _ classID: ClassID, _ column: ColumnDescriptor, _ test: ValueTest) {
    acceptsTrue = test.matches(.bool(true))
    acceptsFalse = test.matches(.bool(false))
    super.init(context, classID, column, test)
  }

  override func scan(
    _ leaf: LeafView, _ cluster: Int, _ candidates: UnsafePointer<UInt64>, _ result: UnsafeMutablePointer<UInt64>
  ) throws -> Outcome {
    if acceptsTrue == acceptsFalse { return acceptsTrue ? .all : .none }
    let available = Bitmap.wordCount(leaf.count)
    let pointers = leaf.pointers
    for index in 0..<context.stride {
      let word = index < available ? pointers.bitWord(index) : 0
      result[index] = acceptsTrue ? word : ~word
    }
    return .mixed
  }

  override var cost: Double { 0.1 }
}
