/// The use of a cursor, which matters where values are sealed.
package enum CursorPurpose: Sendable {
  /// Values stay valid as the cursor's transaction says.
  case reading
  /// A walk over much that is looked at once: values are valid until the cursor moves on.
  case walking
  /// Reads as `walking` does, but gives an empty value in place of an error for a damaged one: for callers that look at what is left.
  case examining
}
