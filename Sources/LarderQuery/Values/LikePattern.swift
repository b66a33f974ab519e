/// A compiled LIKE pattern: `?` is one scalar, `*` any run, a backslash takes the next sign literally.
struct LikePattern: Hashable, Sendable {
  enum Piece: Hashable {
    case byte(UInt8)
    case anyScalar
    case anyRun
  }

  let pieces: [Piece]
  /// The same as texts to look for, where it has nothing but texts and runs.
  let parts: LikeParts?
  /// True if `?` and the steps of `*` are scalars of UTF-8; false if they are bytes.
  private let isText: Bool

  /// Compiles UTF-8; fold the pattern before for the insensitive forms.
  ///
  /// - Parameter isText: False for the bytes of data.
  package init(_ pattern: [UInt8], isText: Bool = true) {
    self.isText = isText
    var pieces: [Piece] = []
    var index = 0
    while index < pattern.count {
      let byte = pattern[index]
      switch byte {
      case UInt8(ascii: "\\") where index + 1 < pattern.count && Self.isSpecial(pattern[index + 1]):
        index += 1
        pieces.append(.byte(pattern[index]))
      case UInt8(ascii: "?"): pieces.append(.anyScalar)
      case UInt8(ascii: "*"): if pieces.last != .anyRun { pieces.append(.anyRun) }
      default: pieces.append(.byte(byte))
      }
      index += 1
    }
    self.pieces = pieces
    parts = LikeParts(pieces, isText: isText)
  }

  private static func isSpecial(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "*") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "\\")
  }

  /// Returns true if the whole text matches.
  package func matches(_ text: UnsafeRawBufferPointer) -> Bool { parts?.matches(text) ?? matchesPieces(text) }

  /// The same piece by piece. Linear but for runs, which cost at most pattern times text.
  func matchesPieces(_ text: UnsafeRawBufferPointer) -> Bool {
    var (piece, position) = (0, 0)
    var retry: (piece: Int, position: Int)?
    while true {
      if piece < pieces.count, case .anyRun = pieces[piece] {
        retry = (piece + 1, position)
        piece += 1
        continue
      }
      if position == text.count {
        if piece == pieces.count { return true }
      } else if piece < pieces.count, let next = step(pieces[piece], text, position) {
        piece += 1
        position = next
        continue
      }
      guard let last = retry, last.position < text.count else { return false }
      position = scalarEnd(text, last.position)
      retry = (last.piece, position)
      piece = last.piece
    }
  }

  private func step(_ piece: Piece, _ text: UnsafeRawBufferPointer, _ position: Int) -> Int? {
    switch piece {
    case .byte(let byte): text[position] == byte ? position + 1 : nil
    case .anyScalar: scalarEnd(text, position)
    case .anyRun: position
    }
  }

  private func scalarEnd(_ text: UnsafeRawBufferPointer, _ position: Int) -> Int {
    var end = position + 1
    while isText, end < text.count, text[end] & 0xC0 == 0x80 { end += 1 }
    return end
  }
}
