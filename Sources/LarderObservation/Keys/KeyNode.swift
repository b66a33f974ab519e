/// Some chunks of a sequence with their places.
final class KeyNode: Sendable {
  let chunks: [KeyChunk]
  /// By chunk: number of keys in it and in those before.
  let ends: [Int]

  init(_ chunks: ArraySlice<KeyChunk>) {
    self.chunks = Array(chunks)
    var end = 0
    ends = chunks.map { chunk in
      end += chunk.count
      return end
    }
  }

  var count: Int { ends.last ?? 0 }

  func start(of chunk: Int) -> Int { chunk == 0 ? 0 : ends[chunk - 1] }
}

/// First index whose end is after a position.
@inline(__always)
func firstEnd(_ ends: [Int], after position: Int) -> Int {
  var low = 0
  var high = ends.count
  while low < high {
    let middle = (low + high) / 2
    if ends[middle] <= position { low = middle + 1 } else { high = middle }
  }
  return low
}
