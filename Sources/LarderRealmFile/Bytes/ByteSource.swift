import LarderCrypto
import LarderLocks

/// The plain bytes of a file, encrypted or not, through a cache of bounded size.
final class ByteSource: Sendable {
  /// The most bytes that the cache holds.
  private static let cacheSize = 4 << 20
  private static let plainPieceSize = 64 << 10

  let path: String
  /// The number of plain bytes.
  let size: Int
  private let file: InputFile
  private let pages: EncryptedPages?
  private let pieceSize: Int
  private let cache: Lock<[Piece?]>

  private struct Piece {
    let number: Int
    let bytes: [UInt8]
  }

  init(file: InputFile, key: EncryptionKey?) {
    path = file.path
    self.file = file
    let pages = key.map { EncryptedPages(file: file, key: $0) }
    self.pages = pages
    size = pages?.size ?? file.size
    pieceSize = pages == nil ? Self.plainPieceSize : EncryptedPages.pageSize
    cache = Lock([Piece?](repeating: nil, count: Self.cacheSize / pieceSize))
  }

  /// True if that many bytes are there from an offset on.
  func holds(_ offset: Int, _ count: Int) -> Bool {
    offset >= 0 && count >= 0 && offset <= size && count <= size - offset
  }

  /// Bytes that `holds` says are there.
  func read(at offset: Int, count: Int) throws -> [UInt8] {
    guard holds(offset, count) else { throw shortened(offset) }
    if count == 0 { return [] }
    if pages == nil && count > pieceSize {
      let bytes = try file.read(at: offset, count: count)
      guard bytes.count == count else { throw shortened(offset) }
      return bytes
    }
    return try cache.withLock { cache in
      let first = try piece(offset / pieceSize, &cache)
      let start = offset % pieceSize
      if start + count <= first.count { return Array(first[start..<start + count]) }
      var result: [UInt8] = []
      result.reserveCapacity(count)
      var position = offset
      while result.count < count {
        let bytes = try piece(position / pieceSize, &cache)
        let start = position % pieceSize
        let end = min(bytes.count, start + count - result.count)
        guard start < end else { throw shortened(position) }
        result += bytes[start..<end]
        position += end - start
      }
      return result
    }
  }

  /// The eight bytes at an offset as a little-endian number.
  func word(at offset: Int) throws -> UInt64 {
    guard holds(offset, 8) else { throw shortened(offset) }
    if offset % 8 == 0 {
      return try cache.withLock { cache in
        let bytes = try piece(offset / pieceSize, &cache)
        let start = offset % pieceSize
        guard start + 8 <= bytes.count else { throw shortened(offset) }
        return Self.word(bytes, start)
      }
    }
    return Self.word(try read(at: offset, count: 8), 0)
  }

  private static func word(_ bytes: [UInt8], _ start: Int) -> UInt64 {
    var result: UInt64 = 0
    for index in 0..<8 { result |= UInt64(bytes[start + index]) << (8 * UInt64(index)) }
    return result
  }

  private func piece(_ number: Int, _ cache: inout [Piece?]) throws -> [UInt8] {
    let slot = number % cache.count
    if let piece = cache[slot], piece.number == number { return piece.bytes }
    let bytes = try pages?.page(number) ?? file.read(at: number * pieceSize, count: pieceSize)
    cache[slot] = Piece(number: number, bytes: bytes)
    return bytes
  }

  private func shortened(_ offset: Int) -> RealmFileError {
    RealmFileError(
      .truncated, "\(path) ends before offset \(offset): it was shortened while it was read; use a copy of it")
  }
}
