import Foundation

/// The kind of a Realm file, by its first bytes and its name.
package enum RealmFileKind: Hashable, Sendable {
  case plain
  /// The name ends with `.realm`, and the bytes are of no kind that is known: only its key tells.
  case perhapsEncrypted

  /// Finds the kind of a file; nil for one that is not Realm's, such as a store of Larder's under such a name.
  package init?(path: String) {
    let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    let attributes = try? FileManager.default.attributesOfItem(atPath: resolved)
    // What a pipe gives can be read once only.
    guard attributes?[.type] as? FileAttributeType == .typeRegular, let file = FileHandle(forReadingAtPath: resolved),
      let head = try? file.read(upToCount: 24), head.count == 24
    else { return nil }
    let mark = Array(head[16..<20])
    if mark == Array("T-DB".utf8) {
      self = .plain
    } else if path.lowercased().hasSuffix(".realm"), mark != Self.markOfStores, !Self.isText(head) {
      self = .perhapsEncrypted
    } else {
      return nil
    }
  }

  /// LMDB's magic number, after the head of its first page.
  private static let markOfStores: [UInt8] = [0xDE, 0xC0, 0xEF, 0xBE]

  private static func isText(_ head: Data) -> Bool {
    head.allSatisfy { (0x20..<0x7F).contains($0) || (0x09...0x0D).contains($0) }
  }
}
