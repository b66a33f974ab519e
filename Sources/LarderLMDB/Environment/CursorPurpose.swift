/// What a cursor is for, which matters where values are sealed.
package enum CursorPurpose: Sendable {
  /// Values stay valid as the cursor's transaction says.
  case reading
  /// A walk over much that is looked at once: values are valid until the cursor moves on.
  case walking
  /// As `walking`, and a damaged value is an empty one instead of an error: for who looks what is left.
  case examining
}
