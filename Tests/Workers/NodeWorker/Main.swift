import Foundation
import LarderStorage
import TestSupport

/// A second process that changes a store of nodes: each line of standard input is one commit, answered by its version.
///
/// In the environment variable `NODE_KEY` stands the byte of the test key that the store is encrypted with.
/// `add VALUE` creates a node, `set KEY VALUE` changes one, `link KEY KEY` links one to another, `delete KEY` deletes one.
/// `take` asks to be the holder of a synced store, `release` lets another be it; both are answered by whether it is.
@main
enum NodeWorker {
  static func main() throws {
    var options = StoreOptions()
    if let number = ProcessInfo.processInfo.environment["NODE_KEY"].flatMap({ UInt8($0) }) {
      options.encryptionKey = .test(number)
    }
    let store = try Store.open(path: CommandLine.arguments[1], options: options)
    let schema = try store.snapshot().schema
    guard let node = schema["Node"], let value = node.column(named: "value")?.id else { return }
    let next = node.column(named: "next")?.id
    let holder = SyncHolder(of: store)
    while let line = readLine() {
      let words = line.split(separator: " ")
      let numbers = words.dropFirst().compactMap { UInt64($0) }
      if words.first == "take" || words.first == "release" {
        if words.first == "take" { _ = try holder.take() } else { holder.release() }
        FileHandle.standardOutput.write(Data("\(holder.isHolder)\n".utf8))
        continue
      }
      let writer = try store.beginWrite()
      switch words.first {
      case "add":
        let key =
          try node.primaryKey == nil ? writer.create(node.id) : writer.create(node.id, primaryKey: Int64(numbers[0]))
        try writer.set(node.id, value, key, .int(Int64(numbers[0])))
      case "set": try writer.set(node.id, value, ObjectKey(rawValue: numbers[0]), .int(Int64(numbers[1])))
      case "link":
        guard let next else { return }
        try writer.set(node.id, next, ObjectKey(rawValue: numbers[0]), .link(ObjectKey(rawValue: numbers[1])))
      default: try writer.delete(node.id, ObjectKey(rawValue: numbers[0]))
      }
      answer(try writer.commit())
    }
  }

  private static func answer(_ version: UInt64) {
    FileHandle.standardOutput.write(Data("\(version)\n".utf8))
  }
}
