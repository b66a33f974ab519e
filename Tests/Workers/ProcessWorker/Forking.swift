import Foundation
import Larder

/// Forks in open write transactions, and says which calls of the child were not refused.
struct Forking {
  private let configuration: Realm.Configuration
  private let realm: Realm

  init(_ configuration: Realm.Configuration) throws {
    self.configuration = configuration
    realm = try Realm(configuration: configuration)
  }

  func run() throws {
    try realm.write { make(1) }
    realm.beginWrite()
    let waiting = make(2)
    let frozen = realm.freeze()
    try inChild { accepted in
      // None of these throws by its signature: each ends a process of its own with a message.
      for (name, use) in unthrowing(waiting) where !Self.endsBySignal(use) { accepted.append(name) }
      for (name, use) in throwing(waiting, frozen) where !Self.isRefused(use) { accepted.append(name) }
      if realm.isInWriteTransaction { realm.cancelWrite() }
    }
    try realm.commitWrite()
    say("committed \(try count())")
    realm.beginWrite()
    make(3)
    try inChild { accepted in
      if !Self.isRefused({ try realm.commitWrite() }) { accepted.append("commitWrite") }
      if !Self.isRefused({ try realm.write { _ = make(4) } }) { accepted.append("write") }
    }
    realm.cancelWrite()
    say("cancelled \(try count())")
    try lent()
    say("lent \(try count())")
  }

  /// A transaction of a queue's Realm, which the writer thread has begun.
  private func lent() throws {
    let queue = DispatchQueue(label: "forking")
    try queue.sync {
      let realm = try Realm(configuration: configuration, queue: queue)
      realm.beginWrite()
      realm.create(Entry.self, value: ["id": 5, "text": "five"] as [String: Any])
      try inChild { accepted in
        if !Self.isRefused({ try realm.commitWrite() }) { accepted.append("lent commitWrite") }
        if !Self.isRefused({ try realm.write(timeout: 0.1) {} }) { accepted.append("lent write(timeout:)") }
        if !Self.isRefused({ try realm.write {} }) { accepted.append("lent write") }
      }
      try realm.commitWrite()
    }
  }

  private func throwing(_ waiting: Entry, _ frozen: Realm) -> [(String, () throws -> Void)] {
    [
      ("throwing.create", { try realm.throwing.create(Entry.self, value: ["id": 8] as [String: Any]) }),
      ("throwing.add", { try realm.throwing.add(Entry()) }),
      ("throwing.delete", { try realm.throwing.delete(waiting) }),
      ("throwing.objects", { _ = try realm.throwing.objects(Entry.self) }),
      ("nested write", { try realm.write { _ = make(9) } }),
      ("writeCopy", { try realm.writeCopy(configuration: copy) }),
      ("frozen writeCopy", { try frozen.writeCopy(configuration: copy) }),
      ("Realm.init", { _ = try Realm(configuration: configuration) }),
      ("commitWrite", { try realm.commitWrite() }),
      ("write", { try realm.write { _ = make(10) } }),
      ("write(timeout:)", { try realm.write(timeout: 0.1) { _ = make(11) } }),
    ]
  }

  private var copy: Realm.Configuration {
    var copy = configuration
    copy.fileURL = configuration.fileURL?.appendingPathExtension("copy")
    return copy
  }

  private func unthrowing(_ waiting: Entry) -> [(String, () -> Void)] {
    [
      ("create", { make(6) }),
      ("assignment", { waiting.text = "changed" }),
      ("append", { waiting.parts.append("changed") }),
      ("add", { realm.add(Entry()) }),
      ("delete", { realm.delete(waiting) }),
      ("deleteAll", { realm.deleteAll() }),
      ("commitAsyncWrite", { realm.commitAsyncWrite() }),
      ("beginAsyncWrite", { realm.beginAsyncWrite {} }),
      ("writeAsync", { realm.writeAsync({}) }),
    ]
  }

  @discardableResult
  private func make(_ id: Int) -> Entry {
    realm.create(Entry.self, value: ["id": id, "text": "entry \(id)"] as [String: Any])
  }

  private func count() throws -> Int {
    realm.refresh()
    return realm.objects(Entry.self).count
  }

  // MARK: - Children

  // The Swift overlay hides fork(2), which is sound for a child that calls nothing of other threads.
  private static let fork = unsafeBitCast(
    dlsym(UnsafeMutableRawPointer(bitPattern: 0), "fork"), to: (@convention(c) () -> pid_t).self)

  /// Runs `body` in a child, and says what it adds to the list.
  private func inChild(_ body: (inout [String]) throws -> Void) throws {
    let child = Self.fork()
    if child == 0 {
      var accepted: [String] = []
      do { try body(&accepted) } catch { accepted.append("\(error)") }
      if !accepted.isEmpty { say("accepted: \(accepted.joined(separator: ", "))") }
      _exit(0)
    }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    if status != 0 { say("a child ended with \(status)") }
  }

  private static func isRefused(_ use: () throws -> Void) -> Bool {
    do {
      try use()
      return false
    } catch let error as Realm.Error {
      return "\(error)".contains("fork()")
    } catch {
      return false
    }
  }

  private static func endsBySignal(_ use: () -> Void) -> Bool {
    let child = fork()
    if child == 0 {
      // What is said of each is not looked at.
      dup2(open("/dev/null", O_WRONLY), 2)
      use()
      _exit(0)
    }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    return status & 0x7F != 0
  }
}
