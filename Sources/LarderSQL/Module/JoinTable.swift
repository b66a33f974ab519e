import Foundation
import LarderStorage

/// The objects of a class by the values of some columns: what a join looks up for each row of the other side.
///
/// Immutable, of one version, and of one cursor. A look-up takes some dozen nanoseconds.
final class JoinTable {
  /// Numbers of values from 1, by hash; 0 is free.
  private let places: [UInt32]
  /// For each value its hash, the end of its bytes, and the end of its objects.
  private let hashes: [UInt64]
  private let byteEnds: [UInt32]
  private let objectEnds: [UInt32]
  private let bytes: [UInt8]
  /// The objects, those with the same values together, in the order that they came in.
  private let objects: UnsafeMutablePointer<ObjectKey>

  /// The number of different values.
  var valueCount: Int { hashes.count }

  /// The objects with the values of a key.
  func objects(_ key: JoinKey) -> UnsafeBufferPointer<ObjectKey> {
    guard let value = value(key, key.hash) else { return UnsafeBufferPointer(start: nil, count: 0) }
    let start = value == 0 ? 0 : Int(objectEnds[value - 1])
    return UnsafeBufferPointer(start: UnsafePointer(objects + start), count: Int(objectEnds[value]) - start)
  }

  private func value(_ key: JoinKey, _ hash: UInt64) -> Int? {
    let mask = places.count - 1
    var place = Int(truncatingIfNeeded: hash) & mask
    while places[place] != 0 {
      let value = Int(places[place]) - 1
      if hashes[value] == hash, Builder.isEqual(key, bytes, byteEnds, value) { return value }
      place = (place + 1) & mask
    }
    return nil
  }

  /// Puts objects into a table.
  ///
  /// - Parameter limit: Bytes that the table may take.
  /// - Returns: nil when it would take more.
  init?(_ keys: [ObjectKey], _ columns: [UnsafeMutablePointer<LeafCell>], limit: Int) throws {
    // A number and a key for each object, and twice a place.
    var builder = Builder(room: limit - keys.count * 16)
    var values: [UInt32] = []
    values.reserveCapacity(keys.count)
    for key in keys {
      guard let value = try builder.value(key, columns) else { return nil }
      values.append(value)
    }
    places = builder.places
    hashes = builder.hashes
    byteEnds = builder.byteEnds
    bytes = builder.bytes
    var ends = builder.counts
    var sum: UInt32 = 0
    for value in ends.indices {
      let count = ends[value]
      ends[value] = sum
      sum += count
    }
    objects = .allocate(capacity: max(1, Int(sum)))
    for (key, value) in zip(keys, values) where value != .max {
      (objects + Int(ends[Int(value)])).initialize(to: key)
      ends[Int(value)] += 1
    }
    objectEnds = ends
  }

  deinit { objects.deallocate() }

  /// A table while it grows.
  private struct Builder {
    var places = [UInt32](repeating: 0, count: 64)
    var hashes: [UInt64] = []
    var byteEnds: [UInt32] = []
    var counts: [UInt32] = []
    var bytes: [UInt8] = []
    private var key = JoinKey()
    private let room: Int

    init(room: Int) { self.room = room }

    /// The number of an object's values, the greatest for NULL; nil without room.
    mutating func value(_ object: ObjectKey, _ columns: [UnsafeMutablePointer<LeafCell>]) throws -> UInt32? {
      key.removeAll()
      for column in columns {
        guard try column.append(object.rawValue, to: &key) else { return room < 0 ? nil : .max }
      }
      let hash = key.hash
      let mask = places.count - 1
      var place = Int(truncatingIfNeeded: hash) & mask
      while places[place] != 0 {
        let value = Int(places[place]) - 1
        if hashes[value] == hash, Self.isEqual(key, bytes, byteEnds, value) {
          counts[value] += 1
          return UInt32(value)
        }
        place = (place + 1) & mask
      }
      guard bytes.count + key.bytes.count + hashes.count * 32 <= room else { return nil }
      hashes.append(hash)
      bytes += key.bytes
      byteEnds.append(UInt32(bytes.count))
      counts.append(1)
      places[place] = UInt32(hashes.count)
      if hashes.count * 2 > places.count { grow() }
      return UInt32(hashes.count - 1)
    }

    private mutating func grow() {
      let mask = places.count * 2 - 1
      places = [UInt32](repeating: 0, count: mask + 1)
      for (value, hash) in hashes.enumerated() {
        var place = Int(truncatingIfNeeded: hash) & mask
        while places[place] != 0 { place = (place + 1) & mask }
        places[place] = UInt32(value + 1)
      }
    }

    @inline(__always)
    static func isEqual(_ key: JoinKey, _ bytes: [UInt8], _ ends: [UInt32], _ value: Int) -> Bool {
      let start = value == 0 ? 0 : Int(ends[value - 1])
      let end = Int(ends[value])
      guard end - start == key.bytes.count else { return false }
      return key.bytes.withUnsafeBytes { own in
        bytes.withUnsafeBytes { all in
          guard let own = own.baseAddress, let all = all.baseAddress else { return true }
          return memcmp(own, all + start, end - start) == 0
        }
      }
    }
  }
}

extension CachePolicy {
  /// Bytes of the values and objects that a join of SQL looks up (`JoinTable`), for each of its tables.
  static let joinTableBytes = 64 << 20
}
