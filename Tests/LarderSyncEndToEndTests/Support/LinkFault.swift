import TestSupport

/// The fault in one direction of a connection, from a number of bytes on.
enum LinkFault: Equatable {
  /// Nothing.
  case none
  /// Both directions are cut, within whatever is sent just then.
  case cut(after: Int)
  /// The rest of this direction is lost, while the other one goes on and both sides see a connection.
  case lose(after: Int)
  /// The rest waits for some milliseconds.
  case hold(after: Int, milliseconds: Int)
  /// Each part that is read takes some milliseconds longer.
  case delay(milliseconds: Int)

  /// A fault, or none.
  init(_ random: inout SeededRandom) {
    // Small numbers are as frequent as large ones: handshakes are short.
    let after = random.int(0..<(1 << random.int(4...14)))
    switch random.int(0..<10) {
    case 0..<3: self = .cut(after: after)
    case 3..<5: self = .lose(after: after)
    case 5..<6: self = .hold(after: after, milliseconds: random.int(1...300))
    case 6..<7: self = .delay(milliseconds: random.int(1...20))
    default: self = .none
    }
  }
}
