/// Meaning of the wrapper's column number; from 0 on it is the number of the property in its class.
@usableFromInline
enum PersistedColumn {
  /// Unmanaged, and the value was assigned.
  @usableFromInline static let unmanaged: Int32 = -1
  /// Unmanaged, without a value yet.
  @usableFromInline static let noValue: Int32 = -2
  /// Unmanaged, with the default value.
  @usableFromInline static let defaulted: Int32 = -3
  /// Unmanaged, and about to be added: the value is written once there is a row.
  @usableFromInline static let leftToBuilder: Int32 = -4
  /// Unmanaged, and the declared value was left out, since one may be given; see `DeclaredDefaults`.
  @usableFromInline static let deferred: Int32 = -5
  /// This and below: the object traces a key path.
  @usableFromInline static let traced: Int32 = -100
}

@usableFromInline
enum PersistedFlag {
  @usableFromInline static let indexed: UInt32 = 1
  @usableFromInline static let primaryKey: UInt32 = 2
  @usableFromInline static let fullText: UInt32 = 4
  @usableFromInline static let localOnly: UInt32 = 8
  /// Of the example of a class: from here on the ticket of the declared value's expression.
  static let ticketShift: UInt32 = 8
  static let mask: UInt32 = 0xFF

  @inlinable
  static func flags(_ index: IndexType) -> UInt32 {
    switch index {
    case .none: 0
    case .general: indexed
    case .fullText: fullText
    }
  }
}
