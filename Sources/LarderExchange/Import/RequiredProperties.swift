import LarderStorage

/// The properties of a class that a new object needs values of.
struct RequiredProperties {
  /// Those that the import says nothing of.
  let others: [ColumnDescriptor]

  init(_ root: BoundClass) {
    let imported = Set(root.properties.map(\.column))
    others = root.descriptor.columns.filter {
      !$0.isOptional && $0.collection == .none && $0.type != .link && $0.type != .mixed && !imported.contains($0.id)
    }
  }

  /// - Throws: `RecordFault` where an object that is not in the store yet lacks one.
  func check(_ prepared: PreparedObject, _ root: BoundClass) throws {
    let missing = zip(root.properties, prepared.values).first { if case .missing = $1 { true } else { false } }
    guard let name = missing?.0.plan.name ?? others.first?.name else { return }
    throw RecordFault(
      offset: prepared.offset,
      message: "there is no such object yet, and a new one needs a value of '\(name)', which the record does not have")
  }
}
