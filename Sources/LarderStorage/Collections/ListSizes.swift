import Foundation

/// The cost of elements in a leaf chunk, and the division of elements into chunks.
struct ListSizes {
  private let limits: ListLimits
  private let type: ColumnType
  private let fixed: Int

  init(_ tree: ListTree) {
    limits = tree.limits
    type = tree.type
    // Dates may need their nanoseconds; a bool is less than a byte, but its chunk is bounded by the count anyway.
    fixed = tree.type == .date ? 12 : max(1, tree.type.stride)
  }

  /// Bytes of a string with its offset.
  private func size(length: Int) -> Int { length + 2 }

  private func size(_ value: StoredValue) -> Int {
    if type == .mixed { return size(length: value.isNull ? 0 : MixedSize.of(value)) }
    return switch value {
    case .string(let value): size(length: value.utf8.count)
    case .data(let value): size(length: value.count)
    case .null where type.holdsBytes: size(length: 0)
    default: fixed
    }
  }

  func size(_ values: ArraySlice<StoredValue>) -> Int {
    guard type.holdsBytes else { return fixed * values.count }
    return values.reduce(0) { $0 + size($1) }
  }

  func size(_ buffer: ColumnBuffer, _ range: Range<Int>) -> Int {
    guard type.holdsBytes else { return fixed * range.count }
    return range.reduce(0) { $0 + size(length: buffer.isNull($1) ? 0 : buffer.bytes($1).count) }
  }

  /// Returns true if so many elements of so many bytes may share a leaf.
  func fits(count: Int, bytes: Int) -> Bool { count <= limits.elements && (bytes <= limits.bytes || count <= 1) }

  /// Returns the number of values that fit after what is there already.
  func fitting(_ values: ArraySlice<StoredValue>, count: Int, bytes: Int) -> Int {
    var bytes = bytes
    var taken = 0
    for value in values {
      bytes += size(value)
      guard fits(count: count + taken + 1, bytes: bytes) else { break }
      taken += 1
    }
    return taken
  }

  /// Parts values into leaves that fit: full ones, or of about the same size.
  func parts(_ values: ArraySlice<StoredValue>, evenly: Bool) -> [ArraySlice<StoredValue>] {
    let share = evenly ? evenShare(values) : .max
    var result: [ArraySlice<StoredValue>] = []
    var start = values.startIndex
    while start < values.endIndex {
      var end = start
      var bytes = 0
      var weight = 0
      while end < values.endIndex, weight < share {
        let size = size(values[end])
        guard fits(count: end - start + 1, bytes: bytes + size) else { break }
        bytes += size
        weight += self.weight(size)
        end += 1
      }
      result.append(values[start..<end])
      start = end
    }
    return result
  }

  /// An element's part of a leaf, by its bytes or as one of a limited number.
  private func weight(_ size: Int) -> Int { max(size, limits.bytes / limits.elements) }

  private func evenShare(_ values: ArraySlice<StoredValue>) -> Int {
    let total = values.reduce(0) { $0 + weight(size($1)) }
    let parts = max(2, (total + limits.bytes - 1) / limits.bytes)
    return (total + parts - 1) / parts
  }
}
