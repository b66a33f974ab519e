import LarderStorage

/// The stored elements of a list that was read, for as long as they are what the Realm shows.
///
/// An object, so that reading an element counts the references of nothing but this.
final class KnownReading {
  let stamp: ReadingStamp
  let reading: any ListReading
  private let host: ObjectHost
  /// What reads a list of the store whose elements need no Realm, without a call by protocol for each; nil for others.
  private let view: ListView?

  init(_ reading: any ListReading, _ host: ObjectHost) {
    self.reading = reading
    self.host = host
    stamp = host.readingStamp
    view = (reading as? ListView).flatMap { $0.type == .link || $0.type == .mixed ? nil : $0 }
  }

  /// An element that is neither an object nor a collection; nil where it must be looked for: of other lists, outside of the list, and once
  /// the Realm has moved on.
  ///
  /// Throws where the Realm cannot be read.
  @inline(__always)
  func value(at position: Int) throws -> StoredValue? {
    guard let view else { return nil }
    try host.verifyThread()
    guard stamp == host.readingStamp, position >= 0, position < view.count else { return nil }
    return try view.value(at: position)
  }
}
