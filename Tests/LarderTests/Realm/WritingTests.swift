import Foundation
import Testing

@testable import Larder

/// Tests of how write transactions begin and end, and what they throw.
@Suite("Write transactions") struct WritingTests {
  private struct Failed: Error, Equatable { var number: Int }

  @Test("E-0d an error of the block cancels the transaction and is thrown on; a block may end it before")
  func blockFails()
    throws
  {
    let realm = try makeRealm()
    let error = #expect(throws: Failed.self) {
      try realm.write {
        realm.add(Person(id: 1))
        throw Failed(number: 7)
      }
    }
    #expect(error == Failed(number: 7) && !realm.isInWriteTransaction && realm.isEmpty)
    #expect(throws: Failed.self) {
      try realm.write {
        realm.add(Person(id: 2))
        try realm.commitWrite()
        throw Failed(number: 8)
      }
    }
    #expect(realm.objects(Person.self).map(\.id) == [2])
  }

  @Test("M-80, R-9, E-36 write throws on a frozen and on a read-only Realm") func beginning() throws {
    let folder = try TemporaryFolder()
    var configuration = folder.configuration([Dog.self, Person.self, Address.self, Room.self])
    do {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.add(Dog(name: "Rex")) }
      let error = #expect(throws: Realm.Error.self) { try realm.freeze().write {} }
      #expect(error?.message.contains("frozen") == true && realm.objects(Dog.self).count == 1)
    }
    configuration.readOnly = true
    let realm = try Realm(configuration: configuration)
    let error = #expect(throws: Realm.Error.self) { try realm.write {} }
    #expect(error?.message.contains("read-only") == true && error?.path == configuration.fileURL?.path)
  }

  @Test("M-92, E-37 write throws when more versions are in use than the configuration allows") func tooManyVersions()
    throws
  {
    var configuration = temporaryConfiguration()
    configuration.maximumNumberOfActiveVersions = 3
    let realm = try Realm(configuration: configuration)
    var frozen: [Realm] = []
    let error = #expect(throws: Realm.Error.self) {
      for id in 0..<10 {
        try realm.write { realm.add(Person(id: id)) }
        frozen.append(realm.freeze())
      }
    }
    #expect(error?.code == .fail && error?.message.contains("4 versions of") == true)
    frozen = []
    try realm.write { realm.add(Person(id: 11)) }
  }

  @Test("E-11 and E-38 a commit without room throws, and the transaction is undone") func noRoom() async {
    // In a process of its own, whose files may grow no further.
    await #expect(processExitsWith: .success) {
      signal(SIGXFSZ, SIG_IGN)
      let folder = try TemporaryFolder()
      let realm = try Realm(configuration: folder.configuration([Dog.self, Person.self, Address.self, Room.self]))
      try realm.write { realm.add(Dog(name: "Rex")) }
      let path = realm.core.store.path
      let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
      var limit = rlimit(rlim_cur: rlim_t(size + 100_000), rlim_max: rlim_t.max)
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      let error = #expect(throws: Realm.Error.self) {
        try realm.write {
          for _ in 0..<2_000 { realm.add(Dog(name: String(repeating: "x", count: 1_000))) }
        }
      }
      guard error?.code == .outOfDiskSpace, error?.path == path, error?.message.contains("No space left") == true,
        !realm.isInWriteTransaction, realm.objects(Dog.self).map(\.name) == ["Rex"]
      else { fatalError("\(String(describing: error))") }
      limit.rlim_cur = rlim_t.max
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      try realm.write { realm.add(Dog(name: "Ida")) }
      guard realm.objects(Dog.self).map(\.name) == ["Rex", "Ida"] else { fatalError("not usable") }
    }
  }

  @Test("E-39 refresh and invalidate do nothing in a callback that beginning a write delivers") func callback() throws {
    try onQueue([Person.self, Dog.self, Address.self, Room.self]) { realm in
      var calls = 0
      let token = realm.objects(Person.self).observe { _ in
        calls += 1
        #expect(!realm.refresh())
        realm.invalidate()
        #expect(realm.core.snapshot != nil)
      }
      try realm.write { realm.add(Person(id: 1)) }
      #expect(calls == 1 && realm.objects(Person.self).map(\.id) == [1])
      token.invalidate()
    }
  }
}
