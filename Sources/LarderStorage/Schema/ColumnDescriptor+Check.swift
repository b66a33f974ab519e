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
    guard given == type || (type == .mixed && given != .link), collection != .set || !value.isCollection else {
      throw StorageError(
        .typeMismatch,
        "\(value.shortDescription) (\(value.isCollection ? "a collection" : "\(given)")) does not fit "
          + "'\(owner.name).\(name)' (\(type)).", className: owner.name, property: name)
    }
    guard value.nesting <= StoreLayout.maximumNesting else {
      throw StorageError(
        .valueTooLarge,
        "The value of '\(owner.name).\(name)' is nested deeper than \(StoreLayout.maximumNesting) levels.",
        className: owner.name, property: name)
    }
    let size =
      switch value {
      // A mixed value takes a byte more than what it holds.
      case _ where type == .mixed: MixedSize.of(value)
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
