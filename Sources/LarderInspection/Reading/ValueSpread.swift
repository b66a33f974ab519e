import Foundation
import LarderExchange
import LarderStorage

/// The distribution of a property's values, by a sample of the objects: numbers and dates themselves, the lengths of texts and data, the
/// numbers of elements of collections.
package struct ValueSpread: Equatable, Sendable {
  package let least: String
  package let most: String
  package let line: Sparkline
  /// True if lengths were measured, and not values.
  package let isOfSizes: Bool

  /// Objects that are looked at, in even distances among all of their class.
  private static let sampleSize = 1000

  /// The smallest value, the bars, and the largest.
  package func text(_ marks: Sparkline.Marks) -> String { "\(least) \(line.text(marks)) \(most)" }

  /// The spreads of a class's properties that have one. Reads the presence of all objects, and the values of a thousand.
  ///
  /// What cannot be read has no spread; the verbs that look for damage report it.
  static func all(of entry: ClassDescriptor, in reader: any StoreReader) -> [ColumnID: ValueSpread] {
    guard let keys = try? sample(of: entry, in: reader) else { return [:] }
    return entry.columns.reduce(into: [:]) { spreads, column in
      spreads[column.id] = try? spread(column, of: entry, keys, in: reader)
    }
  }

  private static func sample(of entry: ClassDescriptor, in reader: any StoreReader) throws -> [ObjectKey] {
    let distance = max(1, (try reader.count(of: entry.id) + sampleSize - 1) / sampleSize)
    var keys: [ObjectKey] = []
    var place = 0
    try reader.forEachKey(of: entry.id) { key in
      if place % distance == 0 { keys.append(key) }
      place += 1
      return true
    }
    return keys
  }

  private static func spread(
    _ column: ColumnDescriptor, of entry: ClassDescriptor, _ keys: [ObjectKey], in reader: any StoreReader
  ) throws -> ValueSpread? {
    guard column.collection != .none || isMeasured(column.type) else { return nil }
    var smallest: (measure: Double, text: String)?
    var largest: (measure: Double, text: String)?
    var measures: [Double] = []
    for key in keys {
      guard let found = try measure(column, of: entry, key, in: reader) else { continue }
      measures.append(found.measure)
      if smallest.map({ found.measure < $0.measure }) ?? true { smallest = found }
      if largest.map({ found.measure > $0.measure }) ?? true { largest = found }
    }
    guard let smallest, let largest, let line = Sparkline(measures) else { return nil }
    let isOfSizes = column.collection != .none || column.type == .string || column.type == .data
    return ValueSpread(least: smallest.text, most: largest.text, line: line, isOfSizes: isOfSizes)
  }

  private static func isMeasured(_ type: ColumnType) -> Bool {
    [.int, .float, .double, .date, .string, .data].contains(type)
  }

  private static func measure(
    _ column: ColumnDescriptor, of entry: ClassDescriptor, _ key: ObjectKey, in reader: any StoreReader
  ) throws -> (measure: Double, text: String)? {
    switch column.collection {
    case .none: break
    case .list: return size(try reader.list(entry.id, column.id, key).count)
    case .set: return size(try reader.set(entry.id, column.id, key).count)
    case .map: return size(try reader.map(entry.id, column.id, key).count)
    }
    let value = try reader.value(entry.id, column.id, key)
    switch value {
    case .int(let number): return (Double(number), String(number))
    case .float(let number): return number.isFinite ? (Double(number), short(Double(number))) : nil
    case .double(let number): return number.isFinite ? (number, short(number)) : nil
    case .date(let date): return (Double(date.seconds), day(date, value))
    case .string(let text): return size(text.count)
    case .data(let data): return size(data.count)
    default: return nil
    }
  }

  private static func size(_ count: Int) -> (measure: Double, text: String) { (Double(count), String(count)) }

  /// The date without the time.
  private static func day(_ date: Timestamp, _ value: StoredValue) -> String {
    let text = ValueText.plain(value) ?? ""
    return text.split(separator: "T").first.map(String.init) ?? text
  }

  /// A number with at most four digits after the point.
  private static func short(_ number: Double) -> String {
    guard abs(number) < 1e12 else { return String(number) }
    let rounded = (number * 10_000).rounded() / 10_000
    return rounded == rounded.rounded() ? String(Int64(rounded)) : String(rounded)
  }
}
