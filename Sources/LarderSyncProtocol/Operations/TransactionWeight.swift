/// About how much of a message something of a transaction takes, here and in what other devices are sent of it: not less than it does, but for names
/// of classes and properties, which a message has once.
public struct TransactionWeight: Hashable, Sendable {
  /// Bytes.
  public var bytes: Int
  /// Changes, properties, elements and entries.
  public var items: Int

  /// A weight.
  public init(bytes: Int, items: Int) {
    self.bytes = bytes
    self.items = items
  }

  /// Nothing.
  public static let zero = TransactionWeight(bytes: 0, items: 0)
  /// A change with its object, the way to its slot and the names that it gives, without its values.
  public static let change = TransactionWeight(bytes: 64, items: 3)
  /// A step of a way.
  public static let step = TransactionWeight(bytes: 40, items: 1)
  /// A value of a fixed length with its place in a container.
  public static let scalar = TransactionWeight(bytes: 24, items: 1)
  /// An element that goes from a list.
  public static let removal = TransactionWeight(bytes: 10, items: 1)
  /// A container without what is in it.
  public static let container = TransactionWeight(bytes: 48, items: 1)

  /// A value, a key or a link with a text or data of so many bytes.
  public static func text(_ bytes: Int) -> TransactionWeight { TransactionWeight(bytes: 30 + bytes, items: 1) }

  public static func + (left: TransactionWeight, right: TransactionWeight) -> TransactionWeight {
    TransactionWeight(bytes: left.bytes + right.bytes, items: left.items + right.items)
  }

  public static func += (left: inout TransactionWeight, right: TransactionWeight) { left = left + right }

  public static func * (left: TransactionWeight, count: Int) -> TransactionWeight {
    TransactionWeight(bytes: left.bytes * count, items: left.items * count)
  }

  /// Throws when it is more than can be sent at once.
  public func check() throws(SyncLimitExceeded) {
    try SyncLimit.transactionBytes.check(bytes)
    try SyncLimit.transactionItems.check(items)
  }

  /// True if it can be sent at once.
  public var fits: Bool {
    bytes <= SyncLimit.transactionBytes.most && items <= SyncLimit.transactionItems.most
  }
}
