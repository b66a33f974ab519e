import Foundation
import LarderExchange
import LarderInspection
import LarderStorage
import TestSupport
import Testing

/// Checks for remains of deleted and overwritten values, classes and properties in every file that is made of a store.
@Suite struct DeletedTracesTests {
  /// The way that a file is made of the store's.
  enum Way: String, CaseIterable {
    case copy, plainCopy, encryptedCopy, copyOfWriting, compact, encrypt, exchangeKey, decrypt, repair, load

    func applies(encrypted: Bool) -> Bool {
      switch self {
      case .encrypt: !encrypted
      case .exchangeKey, .decrypt: encrypted
      default: true
      }
    }

    /// Returns the key that the file is encrypted with.
    func key(of key: EncryptionKey?) -> EncryptionKey? {
      switch self {
      case .copy, .copyOfWriting, .compact: key
      case .plainCopy, .decrypt, .repair, .load: nil
      case .encryptedCopy, .encrypt, .exchangeKey: .test(9)
      }
    }
  }

  @Test(
    "F-60: no file that is made of a store holds a byte of a deleted or overwritten value, or the name of a deleted class or property",
    arguments: Way.allCases, [false, true])
  func traces(way: Way, isEncrypted: Bool) throws {
    guard way.applies(encrypted: isEncrypted) else { return }
    let key: EncryptionKey? = isEncrypted ? .test() : nil
    let traces = try DeletedTraces(key: key)
    let target = traces.fixture.directory.file("made.larder")
    try make(target, way, of: traces, key)
    var options = StoreOptions()
    options.mapSize = 1 << 32
    options.encryptionKey = way.key(of: key)
    let made = try Store.open(path: target, options: options)
    let opened = try DeletedTraces.openedBytes(made)
    #expect(DeletedTraces.found("gone", in: opened).isEmpty, "\(way)")
    for text in DeletedTraces.kept { #expect(!DeletedTraces.found(text, in: opened).isEmpty, "\(way): \(text)") }
    let file = try Data(contentsOf: URL(fileURLWithPath: target))
    #expect(DeletedTraces.found("gone", in: file).isEmpty, "\(way)")
    if options.encryptionKey != nil { #expect(DeletedTraces.found("kept", in: file).isEmpty) }
    #expect(try StoreVerifier.verify(made.snapshot()).isEmpty)
  }

  private func make(_ target: String, _ way: Way, of traces: DeletedTraces, _ key: EncryptionKey?) throws {
    let fixture = traces.fixture
    if way == .copyOfWriting {
      let writer = try fixture.store.beginWrite()
      defer { writer.cancel() }
      try traces.change(writer)
      return try writer.copy(to: target)
    }
    try fixture.write { try traces.change($0) }
    #expect(!DeletedTraces.found("gone", in: try DeletedTraces.openedBytes(fixture.store)).isEmpty)
    let snapshot = try fixture.snapshot
    switch way {
    case .copy: try snapshot.copy(to: target)
    case .plainCopy: try snapshot.copy(to: target, key: .key(nil))
    case .encryptedCopy: try snapshot.copy(to: target, key: .key(way.key(of: key)))
    case .repair: _ = try StoreRepair(fixture.store.repairedVersion(), into: try Store.open(path: target)).run()
    case .load:
      var (dump, text) = (DumpWriter(snapshot), "")
      try dump.run { text += $0 }
      let path = fixture.directory.file("dump.jsonl")
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      #expect(DeletedTraces.found("gone", in: Data(text.utf8)).isEmpty)
      _ = try DumpLoader(store: try Store.open(path: target), path: path).run()
    default:
      // The file of the store as it is, with its free pages, in a place where it is not open.
      try FileManager.default.copyItem(atPath: fixture.path, toPath: target)
      if way == .compact { return try Store.compact(target, key: key) }
      try Store.rekey(target, from: key, to: way.key(of: key))
    }
  }
}
