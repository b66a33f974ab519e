import Foundation
import Testing

@testable import LarderRealmFile

@Suite struct EncryptedPagesTests {
  private let key = Data(1...64)

  /// One class of one object, whose text fills more than 64 pages.
  private func content() -> [UInt8] {
    var writer = NodeWriter()
    let text = String(repeating: "larder ", count: 40_000)
    let root = writer.cluster(count: 1, [writer.longTexts([text])])
    let table = writer.table(key: 1, [.init(name: "text", type: 2)], root: root)
    return writer.file([("Note", table)])
  }

  @Test func contentOfTwoBlocksIsRead() throws {
    let opened = try OpenedFile(PageSealing.file(content(), key: key), key: key)
    #expect(try opened.values("Note", "text") == [.string(String(repeating: "larder ", count: 40_000))])
  }

  @Test func theContentBeforeAnInterruptedCommitIsRead() throws {
    var bytes = PageSealing.file(content(), key: key)
    // The entry of page 1 is of a content that was never written; the one before it is in the second place.
    let entry = Array(bytes[64..<96])
    let (_, newer) = PageSealing.seal([UInt8](repeating: 7, count: 4_096), page: 1, vector: 2, key: key)
    bytes.replaceSubrange(64..<128, with: newer + entry)
    let opened = try OpenedFile(bytes, key: key)
    #expect(try opened.values("Note", "text").count == 1)
    bytes[100] ^= 1
    #expect(failure { _ = try OpenedFile(bytes, key: key).values("Note", "text") }?.kind == .damaged)
  }

  @Test func aChangedPageIsNamed() throws {
    var bytes = PageSealing.file(content(), key: key)
    bytes[66 * 4_096 + 5] ^= 1
    let error = failure { _ = try OpenedFile(bytes, key: key).values("Note", "text") }
    #expect(error?.kind == .damaged && error?.message.contains("page 64") == true, "\(error?.message ?? "none")")
  }

  @Test func aPageThatWasNeverWrittenIsZeros() throws {
    let content = content() + [UInt8](repeating: 0, count: 4_096)
    var bytes = PageSealing.file(content, key: key)
    let last = (content.count + 4_095) / 4_096 - 1
    let entry = last / 64 * 65 * 4_096 + last % 64 * 64
    bytes.replaceSubrange(entry..<entry + 32, with: [UInt8](repeating: 0, count: 32))
    #expect(try OpenedFile(bytes, key: key).values("Note", "text").count == 1)
  }
}
