import Foundation
import LarderStorage

/// Keeps the first object of each tuple of values; drops objects with a nil link in a path.
struct Distinct {
  let oracle: RowOracle
  let classID: ClassID
  let paths: [SortTarget]

  init(_ reader: any StoreReader, _ classID: ClassID, _ paths: [SortTarget]) {
    self.oracle = RowOracle(reader)
    self.classID = classID
    self.paths = paths
  }

  func apply(_ keys: [ObjectKey]) throws -> [ObjectKey] {
    var seen: Set<[StoredValue]> = []
    return try keys.filter { key in
      var tuple: [StoredValue] = []
      for path in paths {
        let found = try oracle.sortValue(path, classID, key)
        if found.linkIsNil { return false }
        tuple.append(Self.canonical(found.value))
      }
      return seen.insert(tuple).inserted
    }
  }

  /// One form for equal values: both zeros, every NaN, decimals of different precision.
  private static func canonical(_ value: StoredValue) -> StoredValue {
    switch value {
    case .double(let number): .int(ValueOrder.total(number))
    case .float(let number): .int(ValueOrder.total(Double(number)))
    case .string(let text): .data(Data(text.utf8))
    case .decimal128(let bits): .decimal128(DecimalNumber(bits).canonicalBits)
    default: value
    }
  }
}
