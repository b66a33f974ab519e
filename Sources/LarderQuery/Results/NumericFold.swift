import LarderStorage

/// Sum, minimum or maximum of a numeric column over chosen slots of leaves, word by word. Nil and NaN are skipped.
struct NumericFold {
  enum Goal {
    case sum, minimum, maximum

    init(_ aggregate: AggregateOperator) {
      switch aggregate {
      case .min: self = .minimum
      case .max: self = .maximum
      default: self = .sum
      }
    }
  }

  let goal: Goal
  /// Number of values seen, without nil and NaN.
  private(set) var count = 0
  private(set) var integer: Int64
  private(set) var real: Double
  /// The sum of integers: their average is that of the numbers, also where the sum itself wraps.
  private var total: Int128 = 0

  init(_ goal: Goal) {
    self.goal = goal
    switch goal {
    case .sum: (integer, real) = (0, 0)
    case .minimum: (integer, real) = (.max, .infinity)
    case .maximum: (integer, real) = (.min, -.infinity)
    }
  }

  /// Takes in a value; what is no number is skipped.
  mutating func add(_ value: StoredValue) {
    switch value {
    case .int(let number): add(number)
    case .double(let number): add(number)
    case .float(let number): add(Double(number))
    default: break
    }
  }

  /// Returns the result for a column of the type.
  func answer(_ aggregate: AggregateOperator, _ type: ColumnType) -> StoredValue {
    let isInteger = type == .int
    switch aggregate {
    case .sum: return isInteger ? .int(Int64(truncatingIfNeeded: total)) : .double(real)
    case .average:
      return count == 0 ? .null : .double((isInteger ? Double(total) : real) / Double(count))
    default:
      guard count > 0 else { return .null }
      if isInteger { return .int(integer) }
      return type == .float ? .float(Float(real)) : .double(real)
    }
  }

  // MARK: - Integers

  mutating func addIntegers(_ leaf: LeafView, _ words: UnsafePointer<UInt64>, stride: Int) {
    let pointers = leaf.pointers
    var full = 0
    while full < stride, words[full] == .max, full << 6 + 64 <= leaf.count { full += 1 }
    if !addDense(leaf, full << 6) { full = 0 }
    forEach(leaf, words, stride, from: full) { fold, slot in
      fold.add(pointers.int(slot))
    }
  }

  /// Takes in the sum of so many integers.
  @inline(__always)
  mutating func note(_ values: Int, sum: Int128) {
    count &+= values
    total &+= sum
  }

  @inline(__always)
  mutating func add(_ value: Int64, times: Int = 1) {
    count &+= times
    switch goal {
    case .sum: total &+= times == 1 ? Int128(value) : Int128(value) &* Int128(times)
    case .minimum: if value < integer { integer = value }
    case .maximum: if value > integer { integer = value }
    }
  }

  // MARK: - Floating point

  mutating func addDoubles(_ leaf: LeafView, _ words: UnsafePointer<UInt64>, stride: Int) {
    let payload = leaf.payload
    if !leaf.hasNaN, !leaf.hasNulls {
      var index = 0
      while index < stride, words[index] == .max, index << 6 + 64 <= leaf.count {
        addDense(payload + index << 9)
        index += 1
      }
      forEach(leaf, words, stride, from: index) { fold, slot in
        fold.add(payload.loadUnaligned(fromByteOffset: slot &<< 3, as: Double.self))
      }
      return
    }
    forEach(leaf, words, stride) { fold, slot in
      fold.add(payload.loadUnaligned(fromByteOffset: slot &<< 3, as: Double.self))
    }
  }

  mutating func addFloats(_ leaf: LeafView, _ words: UnsafePointer<UInt64>, stride: Int) {
    let pointers = leaf.pointers
    forEach(leaf, words, stride) { fold, slot in fold.add(Double(pointers.float(slot))) }
  }

  @inline(__always)
  mutating func add(_ value: Double) {
    guard !value.isNaN else { return }
    count &+= 1
    switch goal {
    case .sum: real += value
    case .minimum: if value < real { real = value }
    case .maximum: if value > real { real = value }
    }
  }

  /// Takes in so many numbers, with which all add up to a sum.
  @inline(__always)
  mutating func note(_ values: Int, sum: Double) {
    count &+= values
    real = sum
  }

  /// 64 doubles, none of them NaN, in eight lanes.
  @inline(__always)
  private mutating func addDense(_ values: UnsafeRawPointer) {
    count &+= 64
    var lanes = values.loadUnaligned(as: SIMD8<Double>.self)
    for part in 1..<8 {
      let next = values.loadUnaligned(fromByteOffset: part &<< 6, as: SIMD8<Double>.self)
      switch goal {
      case .sum: lanes += next
      case .minimum: lanes.replace(with: next, where: next .< lanes)
      case .maximum: lanes.replace(with: next, where: next .> lanes)
      }
    }
    switch goal {
    case .sum: real += lanes.sum()
    case .minimum: for lane in 0..<8 where lanes[lane] < real { real = lanes[lane] }
    case .maximum: for lane in 0..<8 where lanes[lane] > real { real = lanes[lane] }
    }
  }

  // MARK: - Slots

  @inline(__always)
  private mutating func forEach(
    _ leaf: LeafView, _ words: UnsafePointer<UInt64>, _ stride: Int, from first: Int = 0,
    _ body: (inout NumericFold, Int) -> Void
  ) {
    let pointers = leaf.pointers
    for index in first..<max(first, stride) {
      let rest = leaf.count - index << 6
      guard rest > 0 else { break }
      var word = words[index] & ~pointers.nullWord(index)
      if rest < 64 { word &= 1 << UInt64(rest) - 1 }
      while word != 0 {
        body(&self, index << 6 &+ word.trailingZeroBitCount)
        word &= word &- 1
      }
    }
  }
}
