import LarderStorage

/// Any column, one stored value at a time: for types and operators without a kernel of their own.
final class ValueKernel: ColumnKernel {
  private let test: ValueTest

  override init(_ context: ExecutionContext, _ classID: ClassID, _ column: ColumnDescriptor, _ test: ValueTest) {
    self.test = test
    super.init(context, classID, column, test)
  }

  override func scan(
    _ leaf: LeafView, _ cluster: Int, _ candidates: UnsafePointer<UInt64>, _ result: UnsafeMutablePointer<UInt64>
  ) throws -> Outcome {
    let pointers = leaf.pointers
    try visit(leaf, candidates, result) { slot in
      guard pointers.isLarge(slot) else { return test.matches(try leaf.value(slot)) }
      let key = ObjectKey(rawValue: UInt64(cluster * context.clusterSize + slot))
      return test.matches(try context.reader.value(classID, column.id, key))
    }
    return .mixed
  }

  override var cost: Double { 40 }
}
