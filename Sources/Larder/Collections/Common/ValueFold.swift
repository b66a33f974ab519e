import LarderQuery
import LarderStorage

/// Minimum, maximum, sum and average of stored values. Nils, NaN, and what is no number or date, are left out.
enum ValueFold {
  /// A property of elements, or the elements themselves for `self`, as the store would hold them. Nils stay.
  static func property<Element: RealmCollectionValue>(_ property: String, of elements: [Element]) -> [StoredValue] {
    if property == "self" { return stored(elements) }
    return elements.map { element in
      if ValueConverter.isNil(element) { return .null }
      guard let object = element as? ObjectBase else {
        misuse("The elements have no property '\(property)'; only \"self\" can be aggregated.")
      }
      guard let found = object.model.property(named: property) else { misuse(object.model.unknownProperty(property)) }
      return ValueConverter.stored(object.boxedValue(found), as: found.type) ?? .null
    }
  }

  /// Elements in memory as the store would hold them; nil for those that are nothing to compare or add up.
  static func stored<Element: RealmCollectionValue>(_ elements: some Sequence<Element>) -> [StoredValue] {
    guard Element.self is any AnyValueHolder.Type else { return elements.map { $0._rlmStored(in: nil) } }
    return elements.map { element in
      switch (element as? any AnyValueHolder)?.heldValue {
      // Only a Realm can store them, and what collections may hold.
      case is ObjectBase, is any ManagedCollection: .null
      default: element._rlmStored(in: nil)
      }
    }
  }

  /// One of the aggregates below.
  static func value(_ aggregate: AggregateOperator, of values: [StoredValue]) -> StoredValue {
    switch aggregate {
    case .min: minimum(values)
    case .max: maximum(values)
    case .sum: sum(values)
    case .average: average(values)
    case .count: .int(Int64(values.count))
    }
  }

  static func minimum(_ values: [StoredValue]) -> StoredValue {
    values.filter(isOrdered).min { ValueOrder.compare($0, $1) < 0 } ?? .null
  }

  static func maximum(_ values: [StoredValue]) -> StoredValue {
    values.filter(isOrdered).max { ValueOrder.compare($0, $1) < 0 } ?? .null
  }

  /// An integer for integers, else a Double, or a Decimal128 once there is one; nil when there is nothing to add.
  static func sum(_ values: [StoredValue]) -> StoredValue { Fold(values).sum }

  /// A Double, or a Decimal128 once there is one; nil when there is nothing to add.
  static func average(_ values: [StoredValue]) -> StoredValue { Fold(values).average }

  private static func isOrdered(_ value: StoredValue) -> Bool {
    switch value {
    case .int, .date, .decimal128: true
    case .float(let number): !number.isNaN
    case .double(let number): !number.isNaN
    default: false
    }
  }

  private struct Fold {
    private var integers: Int128 = 0
    private var doubles = 0.0
    private var decimals = Decimal128()
    private var counts = (integers: 0, doubles: 0, decimals: 0)

    init(_ values: [StoredValue]) {
      for value in values {
        switch value {
        case .int(let number):
          integers &+= Int128(number)
          counts.integers += 1
        case .float(let number): add(Double(number))
        case .double(let number): add(number)
        case .decimal128(let bits):
          decimals = decimals + Decimal128(bits: bits)
          counts.decimals += 1
        default: break
        }
      }
    }

    private mutating func add(_ number: Double) {
      guard !number.isNaN else { return }
      doubles += number
      counts.doubles += 1
    }

    private var count: Int { counts.integers + counts.doubles + counts.decimals }

    private var decimal: Decimal128 {
      decimals + (counts.integers > 0 ? Decimal128(stringLiteral: "\(integers)") : Decimal128())
        + (counts.doubles > 0 ? Decimal128(floatLiteral: doubles) : Decimal128())
    }

    var sum: StoredValue {
      if count == 0 { return .null }
      if counts.decimals > 0 { return .decimal128(decimal.bits) }
      return counts.doubles > 0 ? .double(doubles + Double(integers)) : .int(Int64(truncatingIfNeeded: integers))
    }

    var average: StoredValue {
      if count == 0 { return .null }
      if counts.decimals > 0 { return .decimal128((decimal / Decimal128(integerLiteral: Int64(count))).bits) }
      return .double((doubles + Double(integers)) / Double(count))
    }
  }
}

extension _ObjcBridgeable {
  /// A sum; zero for nil. Misuse when the type is too narrow for it.
  static func _rlmSum(_ sum: StoredValue) -> Self {
    // Values of any type are added up as numbers of one kind, whatever their types are (F-32).
    if Self.self is any AnyValueHolder.Type, let wide = wide(sum), let result = _rlmFromStored(wide, in: nil) {
      return result
    }
    guard let result = _rlmFromAggregate(sum.isNull ? .int(0) : sum) else {
      misuse("The sum \(sum.text) is no \(Self.self); ask for a wider type with sum(ofProperty: \"self\").")
    }
    return result
  }

  private static func wide(_ sum: StoredValue) -> StoredValue? {
    switch sum {
    case .null: .int(0)
    case .int(let number): .double(Double(number))
    case .float(let number): .double(Double(number))
    default: sum
    }
  }
}
