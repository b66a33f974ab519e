/// How many connections there are, and from where. A value without sockets.
struct ConnectionCounts {
  private let most: Int
  private let mostPerAddress: Int
  private var byAddress: [String: Int] = [:]
  private(set) var total = 0
  /// Connections that were not admitted.
  private(set) var refused: UInt64 = 0

  init(most: Int, mostPerAddress: Int) {
    self.most = most
    self.mostPerAddress = mostPerAddress
  }

  /// Counts a connection; false when there are too many.
  mutating func admit(_ address: String) -> Bool {
    guard total < most, byAddress[address, default: 0] < mostPerAddress else {
      refused += 1
      return false
    }
    total += 1
    byAddress[address, default: 0] += 1
    return true
  }

  /// Counts an admitted connection no more.
  mutating func release(_ address: String) {
    total -= 1
    guard let count = byAddress[address] else { return }
    byAddress[address] = count > 1 ? count - 1 : nil
  }
}
