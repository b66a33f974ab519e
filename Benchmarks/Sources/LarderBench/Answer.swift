/// The result of a workload, in a form that can be compared between peers.
struct Answer: Equatable, CustomStringConvertible {
  private(set) var words: [UInt64] = []

  init() {}
  init(_ integers: Int...) { words = integers.map { UInt64(bitPattern: Int64($0)) } }

  mutating func append(_ double: Double) { words.append(double.bitPattern) }

  var description: String { words.map(String.init).joined(separator: " ") }
}

/// An order-dependent digest of a sequence of integers.
struct OrderDigest {
  private(set) var count = 0
  private var state: UInt64 = 0

  @inline(__always)
  mutating func add(_ value: Int) {
    count += 1
    state = (state &* 0x100_0000_01B3) ^ UInt64(bitPattern: Int64(value))
  }

  var answer: Answer { Answer(count, Int(truncatingIfNeeded: state >> 1)) }
}

/// An order-independent digest of a set of ids.
struct SetDigest {
  private(set) var count = 0
  private var sum = 0

  @inline(__always)
  mutating func add(_ value: Int) {
    count += 1
    sum &+= value
  }

  var answer: Answer { Answer(count, sum) }
}

/// A digest that takes all seven properties of each row, whatever the order.
struct RowDigest {
  private var integers = 0
  private var scores = 0.0
  private var lengths = 0

  @inline(__always)
  mutating func add(id: Int, nameLength: Int, age: Int, score: Double, active: Bool, created: Int, emailLength: Int) {
    integers &+= id &+ age &+ created &+ (active ? 1 : 0)
    scores += score
    lengths &+= nameLength &* 1_000 &+ emailLength
  }

  var answer: Answer {
    var answer = Answer(integers, lengths)
    answer.append(scores)
    return answer
  }
}
