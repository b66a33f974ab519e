/// What the values of a leaf are.
struct LeafKind: Sendable {
  let type: RealmFileProperty.ValueType
  let isOptional: Bool
  /// Where it is, for messages.
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
