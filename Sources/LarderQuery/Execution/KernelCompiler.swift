import LarderStorage

/// Makes the kernels of a predicate.
struct KernelCompiler {
  let context: ExecutionContext

  func compile(_ predicate: BoundPredicate, _ classID: ClassID) throws -> Kernel {
    switch predicate {
    case .constant(let answer): return ConstantKernel(context, answer)
    case .and(let children): return AndKernel(context, try children.map { try compile($0, classID) })
    case .or(let children): return OrKernel(context, try children.map { try compile($0, classID) })
    case .not(let child): return NotKernel(context, try compile(child, classID))
    case .value(let id, let test): return try compile(test, id, classID)
    case .isObject(let keys): return ObjectKernel(context, classID, keys)
    case .through(let step, let inner, let whenNil): return try compile(step, inner, whenNil, classID)
    case .anyElement(let step, let inner) where step.isInverse:
      return try InverseKernel(context, classID, step, inner, predicate)
    case .anyElement(let step, let inner):
      guard let target = step.target else { return ConstantKernel(context, false) }
      let kernel = try compile(inner, target)
      let context = context
      return AnyElementKernel(context, classID, step, inner: kernel) {
        try context.linkedKeys(inner, target, kernel)
      }
    case .anyValue(let step, let test): return AnyValueKernel(context, classID, step, test)
    case .compare(let left, let operation, _, let right):
      return try ExpressionKernel(context, classID, left, operation, right) ?? OracleKernel(context, classID, predicate)
    case .quantified, .isWithin: return OracleKernel(context, classID, predicate)
    }
  }

  private func compile(
    _ step: LinkStep, _ inner: BoundPredicate, _ whenNil: Bool, _ classID: ClassID
  ) throws -> Kernel {
    let asked = whenNil ? BoundPredicate.not(inner) : inner
    let kernel = try compile(asked, step.target)
    let context = context
    return LinkKernel(context, classID, step, whenNil: whenNil, inner: kernel) {
      try context.linkedKeys(asked, step.target, kernel)
    }
  }

  private func compile(_ test: ValueTest, _ id: ColumnID, _ classID: ClassID) throws -> Kernel {
    let column = try context.reader.descriptor(classID, id)
    switch column.type {
    case .bool: return BoolKernel(context, classID, column, test)
    case .int: return integers(test, column, classID)
    case .double:
      let values = test.values.compactMap { if case .double(let value) = $0 { value } else { nil } }
      guard let range = FloatingRange(test.operation, values.count == test.values.count ? values : []) else {
        return WordsKernel(for: test, context, classID, column) ?? ValueKernel(context, classID, column, test)
      }
      return DoubleKernel(context, classID, column, test, range)
    case .float:
      let values = test.values.compactMap { if case .float(let value) = $0 { value } else { nil } }
      guard let range = FloatingRange(test.operation, values.count == test.values.count ? values : []) else {
        return WordsKernel(for: test, context, classID, column) ?? ValueKernel(context, classID, column, test)
      }
      return FloatKernel(context, classID, column, test, range)
    // One look into a set instead of a comparison with each constant.
    case .string where test.isLookup, .data where test.isLookup:
      if test.options.isEmpty { return TextSetKernel(context, classID, column, test) }
    case .string, .data: return TextKernel(context, classID, column, test)
    case .link: return try links(test, column, classID)
    case .date, .uuid, .objectId:
      if let kernel = WordsKernel(for: test, context, classID, column) { return kernel }
    case .decimal128: if let kernel = DecimalKernel(for: test, context, classID, column) { return kernel }
    case .mixed: break
    }
    return ValueKernel(context, classID, column, test)
  }

  private func integers(_ test: ValueTest, _ column: ColumnDescriptor, _ classID: ClassID) -> Kernel {
    let values = test.values.compactMap { if case .int(let value) = $0 { value } else { nil } }
    if test.operation == .in {
      return IntegerSetKernel(context, classID, column, test, values: values)
    }
    guard values.count == test.values.count else {
      return IntegerKernel(
        context, classID, column, test, range: nil, isNegated: test.operation == .notEqual)
    }
    guard let (range, isNegated) = IntegerKernel.range(test.operation, values) else {
      return ValueKernel(context, classID, column, test)
    }
    return IntegerKernel(context, classID, column, test, range: range, isNegated: isNegated)
  }

  /// `link == object`, `link == nil`, `link IN objects`: the live targets asked for, or for nil the live targets not asked for.
  private func links(_ test: ValueTest, _ column: ColumnDescriptor, _ classID: ClassID) throws -> Kernel {
    guard let target = column.target else { return ConstantKernel(context, test.matches(.null)) }
    let whenNil = test.matches(.null)
    var keys: Set<ObjectKey> = []
    for case .link(let key) in test.values where try context.reader.contains(target, key) { keys.insert(key) }
    let step = LinkStep(column: column.id, target: target)
    let context = context
    return LinkKernel(context, classID, step, whenNil: whenNil, inner: nil) {
      guard whenNil else {
        var set = KeySet(clusterSize: context.clusterSize, clusters: try context.reader.liveClusters(of: target))
        for key in keys { set.insert(key) }
        return set
      }
      let others = ObjectKernel(context, target, keys)
      return try Scan(context: context, classID: target, kernel: NotKernel(context, others)).keySet()
    }
  }
}
