/// The first positions of the leaf chunks of a long list, so that a position is found without reading the chunks above; and the leaves that were
/// read.
///
/// Belongs to a `ListView` and is valid as long as that is.
final class ListDirectory {
  /// Of each chunk the position of its first element, and after the last one the number of elements.
  private let starts: [Int]
  private let chunks: [UInt32]
  // Touched for each element that is read: no exclusivity checks.
  @exclusivity(unchecked) private var leaves: [LeafView?]
  /// Chunks for each element: where all hold as many, a position times this is the place of its chunk.
  private let density: Double

  init(starts: [Int], chunks: [UInt32]) {
    self.starts = starts
    self.chunks = chunks
    leaves = Array(repeating: nil, count: chunks.count)
    density = Double(chunks.count) / Double(max(1, starts.last ?? 0))
  }

  /// The place of the chunk that holds a position, which is one of the list.
  @inline(__always)
  func place(of position: Int) -> Int {
    let guess = min(Int(Double(position) * density), chunks.count &- 1)
    if starts[guess] <= position, position < starts[guess &+ 1] { return guess }
    var (low, high) = (0, chunks.count)
    while high &- low > 1 {
      let middle = (low &+ high) >> 1
      if starts[middle] <= position { low = middle } else { high = middle }
    }
    return low
  }

  @inline(__always)
  func start(_ place: Int) -> Int { starts[place] }

  @inline(__always)
  func chunk(_ place: Int) -> UInt32 { chunks[place] }

  func elements(_ place: Int) -> Int { starts[place + 1] - starts[place] }

  /// The leaf of a chunk, if it was read before.
  @inline(__always)
  func leaf(_ place: Int) -> LeafView? { leaves[place] }

  func keep(_ leaf: LeafView, _ place: Int) { leaves[place] = leaf }
}
