import LarderStorage

/// The object keys of an observed collection in its order: an immutable sequence that shares storage with its
/// successors.
///
/// Keys lie in chunks of a few hundred. Changing some of them copies the chunks they are in and the table of chunks,
/// so a delivered version stays readable while the next one is made. Access by index is O(log chunks).
package struct KeySequence: Sendable, RandomAccessCollection, Equatable {
  static let chunkSize = 512

  /// Some keys; an unbroken ascending run is stored as its first key only.
  final class Chunk: Sendable {
    let first: UInt64
    let count: Int
    /// Nil for a run.
    let keys: [ObjectKey]?

    init(_ keys: ArraySlice<ObjectKey>) {
      let first = keys.first?.rawValue ?? 0
      let isRun = zip(keys, first...).allSatisfy { $0.rawValue == $1 }
      self.first = first
      self.count = keys.count
      self.keys = isRun ? nil : Array(keys)
    }

    @inline(__always)
    subscript(offset: Int) -> ObjectKey { keys.map { $0[offset] } ?? ObjectKey(rawValue: first + UInt64(offset)) }
  }

  private var chunks: [Chunk] = []
  /// By chunk: number of keys in it and in those before.
  private var ends: [Int] = []

  package init() {}

  package init(_ keys: [ObjectKey]) {
    var builder = Builder()
    builder.append(keys[...])
    self = builder.finish()
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { ends.last ?? 0 }

  package subscript(position: Int) -> ObjectKey {
    precondition(position >= 0 && position < endIndex, "index \(position) is outside of 0..<\(endIndex)")
    let number = chunk(holding: position)
    return chunks[number][position - start(of: number)]
  }

  private func chunk(holding position: Int) -> Int {
    var low = 0
    var high = chunks.count
    while low < high {
      let middle = (low + high) / 2
      if ends[middle] <= position { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func start(of chunk: Int) -> Int { chunk == 0 ? 0 : ends[chunk - 1] }

  /// First position whose key does not satisfy `isBefore`, which must hold for a leading part of the sequence only.
  package func partition(_ isBefore: (ObjectKey) throws -> Bool) rethrows -> Int {
    var low = 0
    var high = endIndex
    while low < high {
      let middle = (low + high) / 2
      if try isBefore(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  package func makeIterator() -> Iterator { Iterator(self) }

  package struct Iterator: IteratorProtocol {
    private let sequence: KeySequence
    private var chunk = 0
    private var offset = 0

    init(_ sequence: KeySequence) { self.sequence = sequence }

    package mutating func next() -> ObjectKey? {
      guard chunk < sequence.chunks.count else { return nil }
      let current = sequence.chunks[chunk]
      let key = current[offset]
      offset += 1
      if offset == current.count {
        chunk += 1
        offset = 0
      }
      return key
    }
  }

  package var keys: [ObjectKey] { Array(self) }

  package static func == (lhs: KeySequence, rhs: KeySequence) -> Bool {
    lhs.count == rhs.count && lhs.elementsEqual(rhs)
  }
}

extension KeySequence {
  /// A key to put in front of the element that was at `position`.
  struct Insertion {
    let position: Int
    let key: ObjectKey
  }

  /// The sequence without the elements at `removals` and with `insertions` in front of the elements they name.
  ///
  /// - Parameters:
  ///   - removals: Ascending positions.
  ///   - insertions: In order of position; several at one position keep their order. A position may be a removed one.
  func applying(removals: [Int], insertions: [Insertion]) -> KeySequence {
    if removals.isEmpty && insertions.isEmpty { return self }
    var builder = Builder()
    var removal = 0
    var insertion = 0
    for (number, chunk) in chunks.enumerated() {
      let end = ends[number]
      let isLast = number == chunks.count - 1
      let hasRemovals = removal < removals.count && removals[removal] < end
      let hasInsertions = insertion < insertions.count && (isLast || insertions[insertion].position < end)
      guard hasRemovals || hasInsertions else {
        builder.append(chunk)
        continue
      }
      var changed: [ObjectKey] = []
      changed.reserveCapacity(chunk.count + 8)
      for position in start(of: number)..<end {
        while insertion < insertions.count, insertions[insertion].position <= position {
          changed.append(insertions[insertion].key)
          insertion += 1
        }
        if removal < removals.count, removals[removal] == position {
          removal += 1
        } else {
          changed.append(chunk[position - start(of: number)])
        }
      }
      builder.append(changed[...])
    }
    builder.append(insertions[insertion...].map(\.key)[...])
    return builder.finish()
  }

  /// Builds a sequence from chunks that are kept and keys that are new.
  private struct Builder {
    private var result = KeySequence()
    private var pending: [ObjectKey] = []

    mutating func append(_ keys: ArraySlice<ObjectKey>) {
      pending.append(contentsOf: keys)
      if pending.count >= 4 * KeySequence.chunkSize { flush() }
    }

    mutating func append(_ chunk: Chunk) {
      // A few left-over keys join their neighbour, so that chunks do not crumble.
      if !pending.isEmpty, pending.count < KeySequence.chunkSize / 4 {
        for offset in 0..<chunk.count { pending.append(chunk[offset]) }
        return
      }
      flush()
      add(chunk)
    }

    private mutating func flush() {
      let parts = Swift.max(1, (pending.count + KeySequence.chunkSize - 1) / KeySequence.chunkSize)
      for part in 0..<parts where !pending.isEmpty {
        let range = pending.count * part / parts..<pending.count * (part + 1) / parts
        if !range.isEmpty { add(Chunk(pending[range])) }
      }
      pending.removeAll(keepingCapacity: true)
    }

    private mutating func add(_ chunk: Chunk) {
      result.ends.append(result.endIndex + chunk.count)
      result.chunks.append(chunk)
    }

    mutating func finish() -> KeySequence {
      flush()
      return result
    }
  }
}
