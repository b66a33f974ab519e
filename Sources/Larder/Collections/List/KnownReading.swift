import LarderStorage

/// A stored list that was read and whose elements need no Realm, for as long as it is what the Realm shows.
///
/// An object, so that reading an element counts the references of nothing but this; made for lists of the store only, so that changing a list
/// makes none.
final class KnownReading {
  private let stamp: ReadingStamp
  private let view: ListView
  private let host: ObjectHost

  init(_ view: ListView, _ host: ObjectHost) {
    self.view = view
    self.host = host
    stamp = host.readingStamp
  }

  /// Returns true if the elements of a list are neither objects nor collections.
  static func serves(_ view: ListView) -> Bool { view.type != .link && view.type != .mixed }

  /// An element; nil where it must be looked for: outside of the list, and once the Realm has moved on.
  ///
  /// Throws where the Realm cannot be read.
  @inline(__always)
  func value(at position: Int) throws -> StoredValue? {
    try host.verifyThread()
    guard stamp == host.readingStamp, position >= 0, position < view.count else { return nil }
    return try view.value(at: position)
  }
}
