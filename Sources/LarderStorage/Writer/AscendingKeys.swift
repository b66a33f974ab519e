/// Integers given as primary keys in ascending order, with their objects, whose keys ascend as well.
///
/// Kept as pieces in which both go up evenly: one for a bulk insert whose keys are counted, at most one for two objects otherwise.
struct AscendingKeys {
  private struct Piece {
    var value: Int64
    var key: UInt64
    /// The difference between two values; zero while there is one.
    var step: UInt64 = 0
    var count: UInt64 = 1

    /// The value of a place. Steps may be greater than positive integers are, so that they wrap.
    @inline(__always)
    func value(_ place: UInt64) -> Int64 { value &+ Int64(bitPattern: step &* place) }

    @inline(__always)
    var last: Int64 { value(count &- 1) }

    /// Returns the place of a value that is not below the first one, if it is one of these.
    func place(of number: Int64) -> UInt64? {
      guard number <= last else { return nil }
      let distance = UInt64(bitPattern: number &- value)
      if step == 0 { return distance == 0 ? 0 : nil }
      let (place, rest) = distance.quotientAndRemainder(dividingBy: step)
      return rest == 0 ? place : nil
    }
  }

  /// Those that take no more.
  private var closed: [Piece] = []
  /// The one that grows, once there is one.
  private var open: Piece?
  private(set) var count = 0

  /// The highest value.
  @inline(__always)
  var last: Int64? { open?.last }

  @inline(__always)
  var isEmpty: Bool { count == 0 }

  /// Adds a value that is above all others, of an object whose key is.
  @inline(__always)
  mutating func append(_ value: Int64, _ key: ObjectKey) {
    count += 1
    if let piece = open, piece.step != 0, value == piece.value(piece.count), key.rawValue == piece.key &+ piece.count {
      open?.count = piece.count &+ 1
    } else {
      begin(value, key)
    }
  }

  @inline(never)
  private mutating func begin(_ value: Int64, _ key: ObjectKey) {
    if let piece = open {
      if piece.step == 0, key.rawValue == piece.key &+ 1 {
        open?.step = UInt64(bitPattern: value &- piece.value)
        open?.count = 2
        return
      }
      closed.append(piece)
    }
    open = Piece(value: value, key: key.rawValue)
  }

  /// The object that was given a value. O(log pieces).
  func key(of value: Int64) -> ObjectKey? {
    guard let open else { return nil }
    if value >= open.value { return open.place(of: value).map { ObjectKey(rawValue: open.key + $0) } }
    var (low, high) = (0, closed.count)
    while low < high {
      let middle = (low + high) / 2
      if closed[middle].value <= value { low = middle + 1 } else { high = middle }
    }
    guard low > 0, let place = closed[low - 1].place(of: value) else { return nil }
    return ObjectKey(rawValue: closed[low - 1].key + place)
  }

  /// Visits all in ascending order.
  func forEach(_ body: (Int64, ObjectKey) -> Void) {
    func visit(_ piece: Piece) {
      for place in 0..<piece.count { body(piece.value(place), ObjectKey(rawValue: piece.key &+ place)) }
    }
    closed.forEach(visit)
    if let open { visit(open) }
  }
}
