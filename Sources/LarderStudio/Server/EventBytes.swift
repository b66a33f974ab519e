import FlyingSocks

/// The bytes of a stream of events, piece by piece.
struct EventBytes: AsyncBufferedSequence {
  typealias Element = UInt8

  let stream: EventStream

  func makeAsyncIterator() -> Iterator { Iterator(pieces: stream.pieces.makeAsyncIterator()) }

  struct Iterator: AsyncBufferedIteratorProtocol {
    fileprivate var pieces: AsyncStream<String>.Iterator
    private var rest: ArraySlice<UInt8> = []

    fileprivate init(pieces: AsyncStream<String>.Iterator) { self.pieces = pieces }

    mutating func next() async throws -> UInt8? {
      if rest.isEmpty, let piece = await pieces.next() { rest = Array(piece.utf8)[...] }
      return rest.popFirst()
    }

    mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? {
      if rest.isEmpty {
        guard let piece = await pieces.next() else { return nil }
        rest = Array(piece.utf8)[...]
      }
      defer { rest = rest.dropFirst(count) }
      return Array(rest.prefix(count))
    }
  }
}
