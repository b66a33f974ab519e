/// A value by what it is worth: values that `StoredOrder` does not tell apart are equal and hash alike. Numbers of all types, both
/// zeros, and decimals of any precision are one when they are one number.
package struct ValueIdentity: Hashable {
  package let value: StoredValue

  package init(_ value: StoredValue) { self.value = value }

  package static func == (lhs: ValueIdentity, rhs: ValueIdentity) -> Bool {
    StoredOrder.compare(lhs.value, rhs.value) == 0
  }

  package func hash(into hasher: inout Hasher) { Self.hash(value, &hasher) }

  private static func hash(_ value: StoredValue, _ hasher: inout Hasher) {
    switch value {
    case .int(let number): hash(Double(number), number, &hasher)
    case .float(let number): hash(Double(number), nil, &hasher)
    case .double(let number): hash(number, nil, &hasher)
    case .decimal128(let bits):
      let number = DecimalNumber(bits)
      let near = number.doubleValue
      hash(near, whole(number, near: near), &hasher)
    case .list(let elements):
      hasher.combine(elements.count)
      for element in elements { hash(element, &hasher) }
    case .dictionary(let entries):
      hasher.combine(entries.count)
      for entry in entries { hash(entry.value, &hasher) }
    default: hasher.combine(value)
    }
  }

  /// Equal numbers have the same nearest double; large integers that share one are distinguished, or many would hash alike.
  private static func hash(_ near: Double, _ exact: Int64?, _ hasher: inout Hasher) {
    if let whole = Int64(exactly: near) {
      hasher.combine(exact ?? whole)
    } else {
      hasher.combine(near.isNaN ? .nan : near)
    }
  }

  /// The integer that a decimal is; nil when it is none.
  private static func whole(_ number: DecimalNumber, near: Double) -> Int64? {
    guard let first = Int64(exactly: near), let step = Int64(exactly: (number - DecimalNumber(first)).doubleValue),
      case let (sum, overflow) = first.addingReportingOverflow(step), !overflow, DecimalNumber(sum) == number
    else { return nil }
    return sum
  }
}
