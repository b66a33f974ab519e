import Foundation
import LarderStorage

/// Minimum, maximum, sum and average over the elements of a collection of values. Nils are left out.
enum ValueFold {
  static func extreme<C: RealmCollection>(of collection: C, isMinimum: Bool) -> C.Element? {
    var best: (value: C.Element, stored: StoredValue)?
    for element in collection {
      let stored = element._rlmStored(in: nil)
      if stored.isNull { continue }
      guard let current = best else {
        best = (element, stored)
        continue
      }
      if isMinimum ? precedes(stored, current.stored) : precedes(current.stored, stored) { best = (element, stored) }
    }
    return best?.value
  }

  /// Order of two values of one type.
  static func precedes(_ lhs: StoredValue, _ rhs: StoredValue) -> Bool {
    switch (lhs, rhs) {
    case (.null, .null): false
    case (.null, _): true
    case (.int(let a), .int(let b)): a < b
    case (.bool(let a), .bool(let b)): !a && b
    case (.float(let a), .float(let b)): a < b
    case (.double(let a), .double(let b)): a < b
    case (.string(let a), .string(let b)): a.utf8.lexicographicallyPrecedes(b.utf8)
    case (.data(let a), .data(let b)): a.lexicographicallyPrecedes(b)
    case (.date(let a), .date(let b)): a < b
    case (.objectId(let a), .objectId(let b)): a < b
    case (.uuid(let a), .uuid(let b)): a.uuidString < b.uuidString
    case (.decimal128(let a), .decimal128(let b)): DecimalNumber(a) < DecimalNumber(b)
    case (.link(let a), .link(let b)): a < b
    default: false
    }
  }

  static func sum<C: RealmCollection>(of collection: C) -> Any { fold(collection).sum }

  static func average<C: RealmCollection>(of collection: C) -> Any? {
    let (sum, count) = fold(collection)
    guard count > 0 else { return nil }
    switch sum {
    case let sum as Decimal128: return sum / Decimal128(integerLiteral: Int64(count))
    case let sum as Int64: return Double(sum) / Double(count)
    case let sum as Double: return sum / Double(count)
    default: return nil
    }
  }

  private static func fold<C: RealmCollection>(_ collection: C) -> (sum: Any, count: Int) {
    var integers: Int64 = 0
    var doubles = 0.0
    var decimals = DecimalNumber.zero
    var count = 0
    var kind = 0
    for element in collection {
      switch element._rlmStored(in: nil) {
      case .int(let value): (integers, kind) = (integers &+ value, 1)
      case .float(let value): (doubles, kind) = (doubles + Double(value), 2)
      case .double(let value): (doubles, kind) = (doubles + value, 2)
      case .decimal128(let value): (decimals, kind) = (decimals + DecimalNumber(value), 3)
      default: continue
      }
      count += 1
    }
    switch kind {
    case 2: return (doubles, count)
    case 3: return (Decimal128(decimals), count)
    default: return (integers, count)
    }
  }
}
