import LarderLocks

/// The cipher of an environment, and the values that were opened lately.
///
/// A value that no commit changed is opened once, however many snapshots read it: a sealed value is known by its first 16 bytes,
/// which hold its nonce. Safe for any number of threads.
final class ValueSealing: Sendable {
  let cipher: any ValueCipher
  private let recent: Lock<RecentValues>

  /// Bytes in clear that are kept for snapshots to come.
  static let recentBytes = 64 << 20

  init(_ cipher: any ValueCipher, recentBytes: Int = ValueSealing.recentBytes) {
    self.cipher = cipher
    recent = Lock(RecentValues(limit: recentBytes))
  }

  /// Returns true if the value of a key is sealed. LMDB's own tables, of free pages and of names, never are.
  @inline(__always)
  func seals(_ table: Table, _ key: UnsafeRawBufferPointer) -> Bool { table.handle > 1 && cipher.seals(table, key) }

  /// The value that was sealed; throws the cipher's error when it is not what was sealed there.
  func open(_ sealed: ByteView, _ table: Table, _ key: UnsafeRawBufferPointer) throws -> OpenedValue {
    guard sealed.count >= cipher.overhead, sealed.count >= 16 else { throw cipher.damage(table) }
    let name = SealedName(first: sealed.load(0), second: sealed.load(8))
    let place = SealedPlace(table: table.handle, key: KeyBytes(bytes: key))
    if let known = recent.withLock({ $0.value(name, place) }) { return known }
    let value = try openAnew(sealed, table, key)
    recent.withLock { $0.keep(value, name, place) }
    return value
  }

  /// The same without looking for it among the recent ones, or keeping it: for what is read once.
  func openAnew(
    _ sealed: ByteView, _ table: Table, _ key: UnsafeRawBufferPointer, for purpose: CursorPurpose
  ) throws -> OpenedValue {
    do {
      return try openAnew(sealed, table, key)
    } catch {
      guard case .examining = purpose else { throw error }
      return try OpenedValue(count: 0) { _ in }
    }
  }

  private func openAnew(_ sealed: ByteView, _ table: Table, _ key: UnsafeRawBufferPointer) throws -> OpenedValue {
    guard sealed.count >= cipher.overhead else { throw cipher.damage(table) }
    return try OpenedValue(count: sealed.count - cipher.overhead) { room in
      guard try cipher.open(sealed.buffer, table, key, into: room) else { throw cipher.damage(table) }
    }
  }
}

/// The first 16 bytes of a sealed value.
private struct SealedName: Hashable {
  var first: UInt64
  var second: UInt64
}

/// The place of a value: under another key, the same bytes are no value.
private struct SealedPlace: Equatable {
  var table: UInt32
  var key: KeyBytes
}

/// Values in two generations: when the young ones fill half of the room, the old ones go and the young ones are the old ones.
private struct RecentValues {
  private struct Kept {
    let value: OpenedValue
    let place: SealedPlace
  }

  private let limit: Int
  private var young: [SealedName: Kept] = [:]
  private var old: [SealedName: Kept] = [:]
  private var youngBytes = 0

  init(limit: Int) { self.limit = limit }

  mutating func value(_ name: SealedName, _ place: SealedPlace) -> OpenedValue? {
    if let kept = young[name] { return kept.place == place ? kept.value : nil }
    guard let kept = old[name], kept.place == place else { return nil }
    keep(kept.value, name, place)
    return kept.value
  }

  /// The approximate number of bytes that a value takes besides its own.
  private static let frame = 160

  mutating func keep(_ value: OpenedValue, _ name: SealedName, _ place: SealedPlace) {
    let size = value.count + Self.frame
    guard size < limit / 4 else { return }
    if youngBytes + size > limit / 2 {
      old = young
      young = [:]
      youngBytes = 0
    }
    if young.updateValue(Kept(value: value, place: place), forKey: name) == nil { youngBytes += size }
  }
}
