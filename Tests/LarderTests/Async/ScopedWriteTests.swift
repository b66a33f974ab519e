import Foundation
import LarderStorage
import Testing

@testable import Larder

@Suite("Blocks that write") struct ScopedWriteTests {
  private enum Request {
    @TaskLocal static var number = 0
  }

  private let folder: TemporaryFolder
  private let configuration: Realm.Configuration

  init() throws {
    folder = try TemporaryFolder()
    configuration = folder.configuration([Person.self, Dog.self, Address.self, Room.self])
  }

  @Test("F-134: a block runs in the caller's task, with its values, and may write within its write")
  func task() async throws {
    let number = try await Request.$number.withValue(7) {
      try await Realm.write(configuration: configuration) { realm in
        realm.add(Person(id: 1))
        do {
          try realm.write {
            realm.add(Person(id: 2))
            throw CancellationError()
          }
        } catch is CancellationError {}
        try Task.checkCancellation()
        return Request.number
      }
    }
    #expect(number == 7)
    #expect(try await Realm.read(configuration: configuration) { $0.objects(Person.self).map(\.id).sorted() } == [1])
  }

  @Test("F-134: a block that ends its transaction itself, or is cancelled in it, leaves nothing to commit")
  func endedByItself() async throws {
    try await Realm.write(configuration: configuration) { realm in
      realm.add(Person(id: 1))
      try realm.commitWrite()
    }
    try await Realm.write(configuration: configuration) { realm in
      realm.add(Person(id: 2))
      realm.cancelWrite()
    }
    let cancelled = Task {
      try await Realm.write(configuration: configuration) { realm in
        realm.add(Person(id: 3))
        withUnsafeCurrentTask { $0?.cancel() }
        try Task.checkCancellation()
      }
    }
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    #expect(try await Realm.read(configuration: configuration) { $0.objects(Person.self).map(\.id).sorted() } == [1])
  }

  @Test("F-134: a task that is cancelled while it waits for the lock goes on at once, and its block does not run")
  func cancelledWhileWaiting() async throws {
    try await Realm.write(configuration: configuration) { $0.add(Person(id: 1)) }
    let store = try #require(Store.opened(configuration.fileURL?.path ?? ""))
    // Another thread has the lock until the cancelled tasks have ended.
    let (begun, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let holder = Thread {
      let writer = try? store.beginWrite()
      begun.signal()
      ended.wait()
      writer?.cancel()
    }
    holder.start()
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        begun.wait()
        continuation.resume()
      }
    }
    // The first waits in the store's thread, the second for its turn.
    let tasks = (2...3).map { id in
      Task { try await Realm.write(configuration: configuration) { $0.add(Person(id: id)) } }
    }
    for task in tasks { task.cancel() }
    for task in tasks { await #expect(throws: CancellationError.self) { try await task.value } }
    ended.signal()
    try await Realm.write(configuration: configuration) { $0.add(Person(id: 4)) }
    let ids = try await Realm.read(configuration: configuration) { $0.objects(Person.self).map(\.id).sorted() }
    #expect(ids == [1, 4])
  }

  @Test("F-134: of many tasks that write and read at once none reads an older version than it has written or read")
  func newest() async throws {
    try await Realm.write(configuration: configuration) { $0.add(Person(id: 0)) }
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for task in 1...8 {
        group.addTask {
          var last = 0
          for step in 1...25 {
            try await Realm.write(configuration: configuration) { $0.add(Person(id: task * 1_000 + step)) }
            let (all, own) = try await Realm.read(configuration: configuration) { realm in
              let people = realm.objects(Person.self)
              return (people.count, people.where { $0.id >= task * 1_000 && $0.id < task * 1_000 + 1_000 }.count)
            }
            if own != step || all < last { return false }
            last = all
          }
          return true
        }
      }
      for try await isNewest in group { #expect(isNewest) }
    }
    #expect(try await Realm.read(configuration: configuration) { $0.objects(Person.self).count } == 201)
  }
}
