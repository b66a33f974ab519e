/// The calls that `ObservationGroup.deliver` delivers.
package enum DeliveryMode: Sendable {
  /// The changes that were published for the version; none when something newer was published meanwhile, which a further turn will report. What is
  /// missing is left to the background.
  case ready
  /// Everything up to the version, computing what is missing: `refresh()` and `beginWrite` wait for it (N-3).
  case complete
  /// First calls only, at the version the owner stays at (N-6), as far as they were computed for it; the others are left to the
  /// background.
  case initials
}
