/// An enum around a value of any type that can be stored: `AnyRealmValue`, for what must not know it.
protocol AnyValueHolder {
  /// The value itself; `NSNull` for none.
  var heldValue: Any { get }
}
