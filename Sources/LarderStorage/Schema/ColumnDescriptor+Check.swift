extension ColumnDescriptor {
  /// Checks that a value (for collections: an element) fits the column; throws `.typeMismatch`, `.nullForRequired` or
  /// `.valueTooLarge`.
  package func check(_ value: StoredValue, in owner: ClassDescriptor) throws {
    guard let given = value.type else {
      if isOptional { return }
      throw StorageError(
        .nullForRequired, "'\(owner.name).\(name)' is required: nil does not fit.", className: owner.name,
        property: name)
    }
    guard given == type else {
      throw StorageError(
        .typeMismatch, "\(value.shortDescription) (\(given)) does not fit '\(owner.name).\(name)' (\(type)).",
        className: owner.name, property: name)
    }
    let size =
      switch value {
      case .string(let text): text.utf8.count
      case .data(let bytes): bytes.count
      default: 0
      }
    guard size <= StoreLayout.maximumValueSize else {
      throw StorageError(
        .valueTooLarge,
        "The value of '\(owner.name).\(name)' is \(size) bytes long; the limit is \(StoreLayout.maximumValueSize).",
        className: owner.name, property: name)
    }
  }
}
