import Foundation
import LarderStorage

/// Keeps the first object of each tuple of values; drops objects with a nil link in a path.
struct Distinct {
  let evaluator: RowEvaluator
  let classID: ClassID
  let paths: [SortTarget]

  init(_ reader: any StoreReader, _ classID: ClassID, _ paths: [SortTarget]) {
    self.evaluator = RowEvaluator(reader)
    self.classID = classID
    self.paths = paths
  }

  /// The first `limit` of those that are left.
  func apply(_ keys: [ObjectKey], limit: Int = .max) throws -> [ObjectKey] {
    var seen: Set<[StoredValue]> = []
    var result: [ObjectKey] = []
    for key in keys where result.count < limit {
      if let tuple = try tuple(key), seen.insert(tuple).inserted { result.append(key) }
    }
    return result
  }

  /// The values of an object; nil where a link on the way to one of them is.
  private func tuple(_ key: ObjectKey) throws -> [StoredValue]? {
    var tuple: [StoredValue] = []
    for path in paths {
      let found = try evaluator.sortValue(path, classID, key)
      if found.linkIsNil { return nil }
      tuple.append(Self.canonical(found.value))
    }
    return tuple
  }

  /// One form for equal values: numbers of all types, both zeros, every NaN.
  static func canonical(_ value: StoredValue) -> StoredValue {
    switch value {
    case .double(let number): real(number)
    case .float(let number): real(Double(number))
    case .decimal128(let bits): decimal(DecimalNumber(bits))
    case .list(let elements): .list(StoredList(elements.map { canonical($0) }))
    default: value
    }
  }

  private static func real(_ number: Double) -> StoredValue {
    Int64(exactly: number).map { .int($0) } ?? .double(number)
  }

  private static func decimal(_ number: DecimalNumber) -> StoredValue {
    let bits = StoredValue.decimal128(number.canonicalBits)
    if number.isNaN { return bits }
    let near = real(number.doubleValue)
    return StoredOrder.compare(near, bits) == 0 ? near : bits
  }
}
