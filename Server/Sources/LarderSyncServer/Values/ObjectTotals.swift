/// The number of objects, and their total size.
public struct ObjectTotals: Hashable, Sendable {
  /// The number of objects.
  public var objects: UInt64
  /// The bytes of their states.
  public var bytes: UInt64

  /// Totals; without arguments of nothing.
  public init(objects: UInt64 = 0, bytes: UInt64 = 0) {
    self.objects = objects
    self.bytes = bytes
  }

  /// Adds other totals.
  public static func += (left: inout ObjectTotals, right: ObjectTotals) {
    left.objects += right.objects
    left.bytes += right.bytes
  }
}
