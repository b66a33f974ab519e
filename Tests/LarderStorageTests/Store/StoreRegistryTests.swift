import Foundation
import LarderLocks
import TestSupport
import Testing

@testable import LarderStorage

@Suite("Registry of open stores", .timeLimit(.minutes(30)))
struct StoreRegistryTests {
  @Test("a path is opened anew while another thread lets go of the store that was there")
  func replacedWhileClosing() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("a.larder")
    let held = Lock<Store?>(nil)
    let group = DispatchGroup()
    for _ in 0..<100 {
      try held.withLock { $0 = try Store.open(path: path) }
      try remove(path)
      group.enter()
      Thread.detachNewThread {
        held.withLock { $0 = nil }
        group.leave()
      }
      _ = try Self.opened(path)
      group.wait()
      try remove(path)
    }
  }

  private func remove(_ path: String) throws {
    for name in [path, path + "-lock"] { try FileManager.default.removeItem(atPath: name) }
  }

  private static func opened(_ path: String) throws -> UInt64 { try Store.open(path: path).snapshot().version }
}
