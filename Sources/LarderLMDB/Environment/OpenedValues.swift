import LarderLocks

/// The values of a sealed environment that one read transaction has opened: their views live as long as it.
///
/// Safe for any number of threads.
final class OpenedValues: Sendable {
  let sealing: ValueSealing
  /// By the address of the sealed value, which stays where it is as long as the transaction.
  private let values = Lock<[UInt: OpenedValue]>([:])

  init(_ sealing: ValueSealing) { self.sealing = sealing }

  func open(_ found: ByteView, _ table: Table, _ key: UnsafeRawBufferPointer) throws -> ByteView {
    guard sealing.seals(table, key) else { return found }
    let address = UInt(bitPattern: found.base)
    if let known = values.withLock({ $0[address] }) { return known.view }
    let opened = try sealing.open(found, table, key)
    return values.withLock { values in
      // Another thread may have been first, and given its view out.
      if let known = values[address] { return known.view }
      values[address] = opened
      return opened.view
    }
  }
}
