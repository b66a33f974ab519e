import LarderStorage

/// The translation of names in a predicate to stored names. Without mapping the stored names are used.
package struct PropertyNaming: Sendable {
  /// The stored name of a property in a class (by stored class name); nil when there is no such property.
  package var storedName: @Sendable (_ className: String, _ name: String) -> String?
  /// The names that may be used, for suggestions and messages.
  package var names: @Sendable (_ descriptor: ClassDescriptor) -> [String]
  /// The stored class and property whose links an inverse property goes back along; nil for any other name.
  package var inverse: @Sendable (_ className: String, _ name: String) -> (className: String, property: String)?

  package init(
    storedName: @escaping @Sendable (_ className: String, _ name: String) -> String?,
    names: @escaping @Sendable (_ descriptor: ClassDescriptor) -> [String],
    inverse: @escaping @Sendable (_ className: String, _ name: String) -> (className: String, property: String)? = {
      _, _ in nil
    }
  ) {
    self.storedName = storedName
    self.names = names
    self.inverse = inverse
  }

  /// The stored names themselves.
  package static let stored = PropertyNaming(
    storedName: { _, name in name }, names: { $0.columns.map(\.name) })
}
