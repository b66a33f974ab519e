import LarderQuery
import LarderStorage

/// The object keys of an observed collection in its order: an immutable sequence that shares storage with its
/// successors.
///
/// A tree of two levels: keys are in chunks of a few hundred, chunks in nodes of some dozens. Changing some keys copies the
/// chunks and nodes they are in and the table of nodes, so a delivered version stays readable while the next one is made.
/// Access by index is O(log n). Takes at most 16 bytes a key, seldom more than five, or thirteen with the words of a sort.
package struct KeySequence: Sendable, RandomAccessCollection, Equatable {
  static let chunkSize = 512
  static let nodeSize = 48

  private var nodes: [KeyNode] = []
  /// By node: number of keys in it and in those before.
  private var ends: [Int] = []
  /// True if keys have words that tell their places (`SortPrefix`).
  let hasWords: Bool

  package init() { hasWords = false }

  private init(hasWords: Bool) { self.hasWords = hasWords }

  /// - Parameter words: What each key is sorted by, as `SortPrefix` says it; empty where nothing of it is known.
  package init(_ keys: [ObjectKey], words: [UInt64] = []) {
    var builder = Builder(hasWords: !words.isEmpty)
    builder.append(keys[...], words: words[...])
    self = builder.finish()
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { ends.last ?? 0 }

  package subscript(position: Int) -> ObjectKey {
    let (chunk, offset) = place(of: position)
    return chunk[offset]
  }

  /// Returns the value that a key is sorted by, as far as one word tells; unknown where there are no words.
  func word(at position: Int) -> UInt64 {
    let (chunk, offset) = place(of: position)
    return chunk.word(offset)
  }

  @inline(__always)
  private func place(of position: Int) -> (chunk: KeyChunk, offset: Int) {
    precondition(position >= 0 && position < endIndex, "index \(position) is outside of 0..<\(endIndex)")
    let number = firstEnd(ends, after: position)
    let node = nodes[number]
    let offset = position - start(of: number)
    let chunk = firstEnd(node.ends, after: offset)
    return (node.chunks[chunk], offset - node.start(of: chunk))
  }

  private func start(of node: Int) -> Int { node == 0 ? 0 : ends[node - 1] }

  /// Some neighbouring keys, a few hundred mostly, with the one at `position` among them; and the position of the first.
  package func part(at position: Int) -> (first: Int, keys: [ObjectKey]) {
    precondition(position >= 0 && position < endIndex, "index \(position) is outside of 0..<\(endIndex)")
    let number = firstEnd(ends, after: position)
    let node = nodes[number]
    let index = firstEnd(node.ends, after: position - start(of: number))
    let chunk = node.chunks[index]
    return (start(of: number) + node.start(of: index), (0..<chunk.count).map { chunk[$0] })
  }

  /// First position whose key does not satisfy `isBefore`, which must hold for a leading part of the sequence only.
  ///
  /// - Parameters:
  ///   - left: Ascending positions of elements that are left out: they are not compared. The position is none of them.
  ///   - word: The word of what is looked for: elements with a lower one are before it, those with a higher one are not. `isBefore` is called
  ///     for those whose word is the same or unknown.
  ///   - isBefore: Called for some twenty elements without words. The first ones are mostly anchors, which it is given: few elements of a
  ///     sequence are, and they stay so when others come and go.
  package func partition(
    leavingOut left: [Int] = [], word: UInt64 = SortPrefix.unknown,
    _ isBefore: (_ key: ObjectKey, _ isAnchor: Bool) throws -> Bool
  ) rethrows -> Int {
    var low = 0
    var high = endIndex
    while low < high {
      let middle = (low + high) / 2
      let anchor = anchor(before: middle)
      let asked = anchor < low ? middle : anchor
      let position = Self.next(asked, notIn: left)
      guard position < high else {
        high = asked
        continue
      }
      let (chunk, offset) = place(of: position)
      let known = chunk.word(offset)
      let isLower =
        if word != known, word != SortPrefix.unknown, known != SortPrefix.unknown {
          known < word
        } else {
          try isBefore(chunk[offset], position == anchor)
        }
      if isLower { low = position + 1 } else { high = asked }
    }
    // Of the positions in front of an element and of those left out before it, always the element's own.
    return Self.next(low, notIn: left)
  }

  /// Every so many elements of a chunk one is a anchor.
  private static let anchorDistance = 64

  /// Elements that `partition` asks for often: one in 64, the first of each chunk among them.
  package var anchors: [ObjectKey] {
    var found: [ObjectKey] = []
    for chunk in nodes.lazy.flatMap(\.chunks) {
      for offset in stride(from: 0, to: chunk.count, by: Self.anchorDistance) { found.append(chunk[offset]) }
    }
    return found
  }

  /// The last anchor up to a position.
  private func anchor(before position: Int) -> Int {
    let number = firstEnd(ends, after: position)
    let node = nodes[number]
    let first = start(of: number) + node.start(of: firstEnd(node.ends, after: position - start(of: number)))
    return position - (position - first) % Self.anchorDistance
  }

  /// The first position from one on that is not among some ascending ones.
  private static func next(_ position: Int, notIn left: [Int]) -> Int {
    let place = firstEnd(left, after: position - 1)
    guard place < left.count, left[place] == position else { return position }
    // A stretch without a gap ends where positions begin to run ahead of their places. It may be long.
    var low = place
    var high = left.count
    while low < high {
      let middle = (low + high) / 2
      if left[middle] - middle == position - place { low = middle + 1 } else { high = middle }
    }
    return position + low - place
  }

  package func makeIterator() -> Iterator { Iterator(self) }

  package struct Iterator: IteratorProtocol {
    private let sequence: KeySequence
    private var node = 0
    private var chunk = 0
    private var offset = 0

    init(_ sequence: KeySequence) { self.sequence = sequence }

    package mutating func next() -> ObjectKey? {
      guard node < sequence.nodes.count else { return nil }
      let chunks = sequence.nodes[node].chunks
      let current = chunks[chunk]
      let key = current[offset]
      offset += 1
      if offset == current.count {
        offset = 0
        chunk += 1
        if chunk == chunks.count {
          chunk = 0
          node += 1
        }
      }
      return key
    }
  }

  package var keys: [ObjectKey] { Array(self) }

  package static func == (lhs: KeySequence, rhs: KeySequence) -> Bool {
    lhs.count == rhs.count && lhs.elementsEqual(rhs)
  }

  /// Memory taken, about.
  package var byteCount: Int {
    nodes.reduce(ends.count * 16) { total, node in
      total + 64 + node.chunks.reduce(node.ends.count * 16) { $0 + $1.byteCount }
    }
  }

  /// Returns the number of its chunks that another sequence does not share.
  func chunksNotShared(with other: KeySequence) -> Int {
    let shared = Set(other.nodes.flatMap(\.chunks).map { ObjectIdentifier($0) })
    return nodes.reduce(0) { $0 + $1.chunks.count { !shared.contains(ObjectIdentifier($0)) } }
  }
}

extension KeySequence {
  /// A key to put in front of the element that was at `position`.
  struct Insertion {
    let position: Int
    let key: ObjectKey
    /// The value that the key is sorted by, as far as one word tells.
    var word = SortPrefix.unknown
  }

  /// The sequence without the elements at `removals` and with `insertions` in front of the elements they name.
  ///
  /// - Parameters:
  ///   - removals: Ascending positions.
  ///   - insertions: In order of position; several at one position keep their order. A position may be a removed one.
  func applying(removals: [Int], insertions: [Insertion]) -> KeySequence {
    if removals.isEmpty && insertions.isEmpty { return self }
    var edit = Edit(removals: removals, insertions: insertions)
    var builder = Builder(hasWords: hasWords)
    for (number, node) in nodes.enumerated() {
      let start = start(of: number)
      let isLastNode = number == nodes.count - 1
      guard edit.touches(before: ends[number], isLast: isLastNode) else {
        builder.append(node)
        continue
      }
      for (index, chunk) in node.chunks.enumerated() {
        let first = start + node.start(of: index)
        let isLast = isLastNode && index == node.chunks.count - 1
        if edit.touches(before: start + node.ends[index], isLast: isLast) {
          let changed = edit.applied(to: chunk, at: first, withWords: hasWords)
          builder.append(changed.keys[...], words: changed.words[...])
        } else {
          builder.append(chunk)
        }
      }
    }
    let rest = edit.rest
    builder.append(rest.map(\.key)[...], words: hasWords ? rest.map(\.word)[...] : [])
    return builder.finish()
  }

  /// Removals and insertions, done from front to back.
  private struct Edit {
    let removals: [Int]
    let insertions: [Insertion]
    private var removal = 0
    private var insertion = 0

    init(removals: [Int], insertions: [Insertion]) {
      self.removals = removals
      self.insertions = insertions
    }

    /// Returns true if there is a removal or an insertion before a position; at the end also if insertions come after it.
    func touches(before end: Int, isLast: Bool) -> Bool {
      (removal < removals.count && removals[removal] < end)
        || (insertion < insertions.count && (isLast || insertions[insertion].position < end))
    }

    mutating func applied(
      to chunk: KeyChunk, at start: Int, withWords: Bool
    ) -> (keys: [ObjectKey], words: [UInt64]) {
      var (changed, words) = ([ObjectKey](), [UInt64]())
      changed.reserveCapacity(chunk.count + 8)
      if withWords { words.reserveCapacity(chunk.count + 8) }
      func add(_ key: ObjectKey, _ word: UInt64) {
        changed.append(key)
        if withWords { words.append(word) }
      }
      for position in start..<start + chunk.count {
        while insertion < insertions.count, insertions[insertion].position <= position {
          add(insertions[insertion].key, insertions[insertion].word)
          insertion += 1
        }
        if removal < removals.count, removals[removal] == position {
          removal += 1
        } else {
          add(chunk[position - start], chunk.word(position - start))
        }
      }
      return (changed, words)
    }

    /// The insertions that are to be appended.
    var rest: ArraySlice<Insertion> { insertions[insertion...] }
  }

  /// Builds a sequence from nodes and chunks that are kept and keys that are new.
  private struct Builder {
    private var result: KeySequence
    private var chunks: [KeyChunk] = []
    private var keys: [ObjectKey] = []
    /// One for each of the keys, where the sequence has words.
    private var words: [UInt64] = []

    init(hasWords: Bool) { result = KeySequence(hasWords: hasWords) }

    mutating func append(_ more: ArraySlice<ObjectKey>, words others: ArraySlice<UInt64>) {
      precondition(others.count == (result.hasWords ? more.count : 0), "a word for each key")
      keys.append(contentsOf: more)
      words.append(contentsOf: others)
      if keys.count >= 4 * KeySequence.chunkSize { flushKeys() }
    }

    mutating func append(_ chunk: KeyChunk) {
      // A few left-over keys join their neighbour, so that chunks do not crumble.
      if !keys.isEmpty, keys.count < KeySequence.chunkSize / 4 {
        for offset in 0..<chunk.count { keys.append(chunk[offset]) }
        if result.hasWords { for offset in 0..<chunk.count { words.append(chunk.word(offset)) } }
        return
      }
      flushKeys()
      add(chunk)
    }

    mutating func append(_ node: KeyNode) {
      let hasLeftOvers = !keys.isEmpty && keys.count < KeySequence.chunkSize / 4
      if !hasLeftOvers { flushKeys() }
      // The same for a few chunks.
      if hasLeftOvers || (!chunks.isEmpty && chunks.count < KeySequence.nodeSize / 4) {
        for chunk in node.chunks { append(chunk) }
        return
      }
      flushChunks()
      add(node)
    }

    private mutating func flushKeys() {
      let parts = Swift.max(1, (keys.count + KeySequence.chunkSize - 1) / KeySequence.chunkSize)
      for part in 0..<parts where !keys.isEmpty {
        let range = keys.count * part / parts..<keys.count * (part + 1) / parts
        if !range.isEmpty { add(KeyChunk(keys[range], words: result.hasWords ? words[range] : [])) }
      }
      keys.removeAll(keepingCapacity: true)
      words.removeAll(keepingCapacity: true)
    }

    private mutating func flushChunks() {
      let parts = Swift.max(1, (chunks.count + KeySequence.nodeSize - 1) / KeySequence.nodeSize)
      for part in 0..<parts where !chunks.isEmpty {
        let range = chunks.count * part / parts..<chunks.count * (part + 1) / parts
        if !range.isEmpty { add(KeyNode(chunks[range])) }
      }
      chunks.removeAll(keepingCapacity: true)
    }

    private mutating func add(_ chunk: KeyChunk) {
      chunks.append(chunk)
      if chunks.count >= 4 * KeySequence.nodeSize { flushChunks() }
    }

    private mutating func add(_ node: KeyNode) {
      result.ends.append(result.endIndex + node.count)
      result.nodes.append(node)
    }

    mutating func finish() -> KeySequence {
      flushKeys()
      flushChunks()
      return result
    }
  }
}
