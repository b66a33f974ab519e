import Foundation
import Testing

@testable import Larder

/// Covers M-105 and M-106.
@Suite("In-memory stores") struct InMemoryTests {
  @Test("M-105, M-106 the data and its files go with the last instance, frozen ones included")
  func lifetime() throws {
    let configuration = temporaryConfiguration()
    let path = try configuration.checkedPath()
    var frozen: Results<Person>?
    do {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.add(Person(id: 1, name: "A")) }
      frozen = realm.freeze().objects(Person.self)
      #expect(FileManager.default.fileExists(atPath: path))
    }
    #expect(frozen?.first?.name == "A" && FileManager.default.fileExists(atPath: path))
    #expect(try Realm(configuration: configuration).objects(Person.self).count == 1)
    frozen = nil
    #expect(!FileManager.default.fileExists(atPath: path) && !FileManager.default.fileExists(atPath: path + "-lock"))
    #expect(try Realm(configuration: configuration).objects(Person.self).isEmpty)
  }

  @Test("The process's folder goes with the process, and no other")
  func exit() async throws {
    let base = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
    let foreign = URL(fileURLWithPath: base).appendingPathComponent("larder-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: foreign, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: foreign) }
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      let realm = try makeRealm()
      print("pid \(getpid()) \(FileManager.default.fileExists(atPath: realm.core.store.path)) end")
      // Still in use when the process ends.
      withExtendedLifetime(realm) { Foundation.exit(EXIT_SUCCESS) }
    }
    let words = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self).split(
      whereSeparator: \.isWhitespace)
    let position = try #require(words.firstIndex(of: "pid"))
    #expect(words[position + 2] == "true")
    #expect(!FileManager.default.fileExists(atPath: base + "/larder-\(words[position + 1])"))
    #expect(FileManager.default.fileExists(atPath: foreign))
  }
}
