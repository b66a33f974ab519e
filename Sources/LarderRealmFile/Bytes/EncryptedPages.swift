import Foundation
import LarderCrypto

/// The pages of an encrypted file in their plain form.
///
/// Pages have 4,096 bytes. A page of 64 entries comes before each 64 pages of data; an entry has the vectors and codes of the page's newest
/// content and of the one before, which is there when a commit was interrupted.
struct EncryptedPages: Sendable {
  static let pageSize = 4_096
  private static let pagesPerBlock = 64
  private static let entrySize = 64

  private let file: InputFile
  private let cipher: RealmPageCipher

  /// Bytes of plain content.
  let size: Int

  init(file: InputFile, key: EncryptionKey) {
    self.file = file
    cipher = RealmPageCipher(key: key)
    let pages = file.size / Self.pageSize
    let (blocks, rest) = pages.quotientAndRemainder(dividingBy: Self.pagesPerBlock + 1)
    size = (blocks * Self.pagesPerBlock + max(0, rest - 1)) * Self.pageSize
  }

  /// True if a file that has no mark of Realm's may be an encrypted one: its first page then holds counters and codes.
  static func mayBe(_ file: InputFile) throws -> Bool {
    guard file.size >= 2 * pageSize, file.size % pageSize == 0 else { return false }
    let entry = try file.read(at: 0, count: entrySize)
    guard entry.count == entrySize else { return false }
    // Each change of a page counts its vector up by one; other files hardly begin with such small numbers.
    let (first, second) = (vectorNumber(entry, 0), vectorNumber(entry, 32))
    return first > 0 && first < 1 << 24 && second < 1 << 24
  }

  /// A page's plain content.
  func page(_ number: Int) throws -> [UInt8] {
    let block = number / Self.pagesPerBlock
    let offset = (number + block + 1) * Self.pageSize
    let entryOffset = block * (Self.pagesPerBlock + 1) * Self.pageSize + number % Self.pagesPerBlock * Self.entrySize
    let entry = try file.read(at: entryOffset, count: Self.entrySize)
    let sealed = try file.read(at: offset, count: Self.pageSize)
    guard entry.count == Self.entrySize, sealed.count == Self.pageSize else {
      throw RealmFileError(
        .truncated, "\(file.path) ends before page \(number) of its content: it was shortened while it was read")
    }
    let vector = Self.vectorNumber(entry, 0)
    if vector == 0 { return [UInt8](repeating: 0, count: Self.pageSize) }
    let code = try cipher.code(of: sealed)
    if code == Array(entry[4..<32]) { return try open(sealed, number, vector) }
    if code == Array(entry[36..<64]) { return try open(sealed, number, Self.vectorNumber(entry, 32)) }
    if sealed.allSatisfy({ $0 == 0 }) { return sealed }
    if number == 0 {
      throw RealmFileError(
        .wrongKey, "the key is not that of \(file.path), or the file is damaged or not a Realm file; give its own key")
    }
    throw RealmFileError(
      .damaged,
      "page \(number) of \(file.path) (offset \(offset)) has not the content that was encrypted: the file is damaged; "
        + "use a backup of it")
  }

  private func open(_ sealed: [UInt8], _ number: Int, _ vector: UInt32) throws -> [UInt8] {
    var block = [UInt8](repeating: 0, count: RealmPageCipher.blockLength)
    for index in 0..<4 { block[index] = UInt8(truncatingIfNeeded: vector >> (8 * UInt32(index))) }
    let position = UInt64(number * Self.pageSize)
    for index in 0..<8 { block[4 + index] = UInt8(truncatingIfNeeded: position >> (8 * UInt64(index))) }
    return try cipher.open(sealed, vector: block)
  }

  private static func vectorNumber(_ entry: [UInt8], _ offset: Int) -> UInt32 {
    (0..<4).reduce(UInt32(0)) { $0 | UInt32(entry[offset + $1]) << (8 * UInt32($1)) }
  }
}
