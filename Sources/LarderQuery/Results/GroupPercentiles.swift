import LarderStorage

/// The values of groups, kept until all are there: 8 bytes each for numbers, 16 for dates and decimals.
///
/// A percentile is between the two values nearest to its place, by its distance from them, as spreadsheets and SQL's
/// `percentile_cont` have it; of dates the earlier of the two. Nil and NaN are skipped.
struct GroupPercentiles {
  private let rank: Double
  private let type: ColumnType
  /// The position at which the values of each group begin; `ends` has the position of the next value.
  private let starts: [Int]
  private var ends: [Int]
  private var numbers: [Double] = []
  private var values: [StoredValue] = []

  /// - Parameter counts: How many rows each group has.
  init(_ counts: [Int], _ rank: Double, _ type: ColumnType) {
    (self.rank, self.type) = (rank, type)
    var (starts, total) = ([Int](), 0)
    for count in counts {
      starts.append(total)
      total += count
    }
    (self.starts, ends) = (starts, starts)
    if isNumeric {
      numbers = Array(repeating: 0, count: total)
    } else {
      values = Array(repeating: .null, count: total)
    }
  }

  private var isNumeric: Bool { type == .int || type == .float || type == .double }

  mutating func add(_ value: StoredValue, to group: Int) {
    switch value {
    case .int(let number): place(Double(number), group)
    case .double(let number): place(number, group)
    case .float(let number): place(Double(number), group)
    case .date, .decimal128:
      guard !ValueOrder.isNaN(value) else { return }
      values[ends[group]] = value
      ends[group] += 1
    default: break
    }
  }

  private mutating func place(_ number: Double, _ group: Int) {
    guard !number.isNaN else { return }
    numbers[ends[group]] = number
    ends[group] += 1
  }

  /// The percentile of each group; null without values.
  mutating func results() -> [StoredValue] {
    var results: [StoredValue] = []
    for group in starts.indices {
      let range = starts[group]..<ends[group]
      guard !range.isEmpty else {
        results.append(.null)
        continue
      }
      let place = rank / 100 * Double(range.count - 1)
      let lower = range.lowerBound + Int(place)
      let upper = min(lower + 1, range.upperBound - 1)
      let fraction = place - place.rounded(.down)
      if isNumeric {
        numbers[range].sort()
        results.append(.double(Self.between(numbers[lower], numbers[upper], fraction)))
      } else {
        values[range].sort { ValueOrder.compare($0, $1) < 0 }
        results.append(Self.between(values[lower], values[upper], fraction))
      }
    }
    return results
  }

  private static func between(_ a: Double, _ b: Double, _ fraction: Double) -> Double {
    fraction == 0 || a == b ? a : a * (1 - fraction) + b * fraction
  }

  private static func between(_ a: StoredValue, _ b: StoredValue, _ fraction: Double) -> StoredValue {
    guard case .decimal128(let low) = a, case .decimal128(let high) = b, fraction != 0 else { return a }
    let (start, end) = (DecimalNumber(low), DecimalNumber(high))
    guard !(start == end) else { return a }
    let part = DecimalNumber(number: .double(fraction))
    return .decimal128((start + (end - start) * part).bits)
  }
}
