import Foundation
import Larder
import TestSupport
import Testing

@Suite("Encryption, by its examples") struct SecuritySnippets {
  class Secret: Object {
    @Persisted var text: String
  }

  @Test func opening() throws {
    let directory = try TemporaryDirectory()
    let url = directory.url.appendingPathComponent("secret.larder")
    let plain = Realm.Configuration(fileURL: url, objectTypes: [Secret.self])
    let key = Data((0..<64).map { _ in UInt8.random(in: .min ... .max) })
    do {
      var configuration = plain
      // begin: encryption
      configuration.encryptionKey = key  // 64 random bytes, from where secrets are kept
      let realm = try Realm(configuration: configuration)
      // end: encryption
      #expect(realm.isEmpty)
    }
    #expect(errorCode { _ = try Realm(configuration: plain) } == .invalidDatabase)
  }
}
