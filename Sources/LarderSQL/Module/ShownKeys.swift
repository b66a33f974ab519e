import LarderStorage

/// The object of each class whose primary key was shown last in place of a link: a join asks for the object with that key next.
///
/// Belongs to the thread of its connection. Places stay where they are as long as this.
final class ShownKeys {
  private var places: [ClassID: UnsafeMutablePointer<UInt64>] = [:]

  deinit { for place in places.values { place.deallocate() } }

  /// The place for a class. It has the greatest number, which no object has, until a key is shown.
  func place(of classID: ClassID) -> UnsafeMutablePointer<UInt64> {
    if let known = places[classID] { return known }
    let made = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
    made.initialize(to: .max)
    places[classID] = made
    return made
  }
}

/// The primary key that was shown last of one class, compared with one that a scan looks for.
struct ShownKey {
  /// The primary keys of the class.
  private let cell: UnsafeMutablePointer<LeafCell>
  private let type: ColumnType
  private var wanted = JoinKey()
  private var own = JoinKey()

  init(_ cell: UnsafeMutablePointer<LeafCell>, _ type: ColumnType) { (self.cell, self.type) = (cell, type) }

  /// The object that was shown last, if a value is its primary key.
  mutating func object(_ value: OpaquePointer?) throws -> UInt64? {
    guard let object = cell.pointee.shown?.pointee, object != .max else { return nil }
    wanted.removeAll()
    own.removeAll()
    guard wanted.append(value, type) == .bytes, try cell.append(object, to: &own), wanted.bytes == own.bytes else {
      return nil
    }
    return object
  }
}
