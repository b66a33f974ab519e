/// The type of a leaf's values.
struct LeafKind: Sendable {
  let type: RealmFileProperty.ValueType
  let isOptional: Bool
  /// The class and property of the leaf, for messages.
  let place: String
  /// The class that links lead to.
  let targetIndex: Int
  /// Values from which the leaf names some by number, where the file keeps texts once.
  let enumerated: Int?

  init(
    _ type: RealmFileProperty.ValueType, isOptional: Bool = false, targetIndex: Int = -1, enumerated: Int? = nil,
    place: String = ""
  ) {
    self.type = type
    self.place = place
    self.isOptional = isOptional
    self.targetIndex = targetIndex
    self.enumerated = enumerated
  }
}
