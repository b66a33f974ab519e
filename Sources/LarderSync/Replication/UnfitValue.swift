/// A property of which the server has a value that the store's schema cannot hold: the store has none in its place (Y-48).
struct UnfitValue: Hashable, Sendable {
  let className: String
  let property: String
  /// The kind of value that the server has.
  let kind: String
}

extension UnfitValue {
  /// For the program.
  var explanation: String {
    "The server has \(kind) for '\(className).\(property)', which the program's class cannot hold; it is left out. Update the program, or give the property another name."
  }
}
