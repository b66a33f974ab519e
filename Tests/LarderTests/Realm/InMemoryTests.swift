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
    let own = "larder-\(words[position + 1])-"
    #expect(try !FileManager.default.contentsOfDirectory(atPath: base).contains { $0.hasPrefix(own) })
    #expect(FileManager.default.fileExists(atPath: foreign))
  }

  @Test("F-49: folders that dead processes left in memory go with the next store there; those in use stay")
  func abandoned() async throws {
    let base = MemoryFolder.base
    // One of a killed process, one of a process that goes on, and one as earlier versions made it, of a process that cannot be.
    func make(_ name: String, owner: Bool) throws -> String {
      let folder = "\(base)/\(name)"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try Data([1]).write(to: URL(fileURLWithPath: folder + "/a.realm"))
      if owner { try Data().write(to: URL(fileURLWithPath: folder + "/owner")) }
      return folder
    }
    let killed = try make("larder-1-\(UUID().uuidString)", owner: true)
    let living = try make("larder-1-\(UUID().uuidString)", owner: true)
    let early = try make("larder-\(Int32.max - 7)", owner: false)
    let unknown = try make("larder-\(UUID().uuidString)", owner: false)
    defer { for folder in [killed, living, early, unknown] { try? FileManager.default.removeItem(atPath: folder) } }
    let lock = try FileHandle(forUpdating: URL(fileURLWithPath: living + "/owner"))
    #expect(flock(lock.fileDescriptor, LOCK_EX | LOCK_NB) == 0)
    // Killed: nothing is tidied up.
    await #expect(processExitsWith: .signal(SIGKILL)) {
      let realm = try makeRealm()
      withExtendedLifetime(realm) { _ = kill(getpid(), SIGKILL) }
    }
    let exit = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      let realm = try makeRealm()
      let names = try FileManager.default.contentsOfDirectory(atPath: MemoryFolder.base)
      print(withExtendedLifetime(realm) { names.filter { $0.hasPrefix("larder-") }.joined(separator: "\n") })
    }
    let text = String(decoding: exit?.standardOutputContent ?? [], as: UTF8.self)
    func isThere(_ folder: String) -> Bool { text.contains(String(folder.dropFirst(base.count + 1))) }
    #expect(!isThere(killed) && !isThere(early) && isThere(living) && isThere(unknown), "\(text)")
  }
}
