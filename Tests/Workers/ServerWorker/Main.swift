import Foundation
import Larder

/// A server with a store for each user: `ServerWorker VERB FOLDER [COUNT]`. It says a line for each result, and `ready` where it waits for one.
@main
enum ServerWorker {
  class Note: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var text: String
  }

  static func main() async throws {
    let arguments = CommandLine.arguments
    let folder = URL(fileURLWithPath: arguments[2])
    let count = arguments.count > 3 ? Int(arguments[3]) ?? 0 : 0
    switch arguments[1] {
    case "many": try await openMany(count, folder)
    case "limited": try await openLimited(count, folder)
    case "idle": try await beIdle(folder)
    default: exit(64)
    }
  }

  private static func configuration(_ user: Int, _ folder: URL) -> Realm.Configuration {
    Realm.Configuration(fileURL: folder.appendingPathComponent("user-\(user).realm"), objectTypes: [Note.self])
  }

  private static func write(_ user: Int, _ folder: URL) async throws {
    try await Realm.write(configuration: configuration(user, folder)) { realm in
      let id = realm.objects(Note.self).count
      // A part of it is undone: LMDB's nested transactions take lists of their own.
      try? realm.write { throw CancellationError() }
      realm.create(Note.self, value: ["id": id, "text": "note \(id)"] as [String: Any])
      return ()
    }
  }

  /// Writes to so many stores, which stay open, twice; closes them. Says what the process has each time.
  private static func openMany(_ count: Int, _ folder: URL) async throws {
    Usage.raiseFileLimit()
    StoreKeeping.current = StoreKeeping(seconds: 600, count: count)
    try await write(count, folder)
    say("begin \(Usage())")
    for _ in 0..<2 {
      for user in 0..<count { try await write(user, folder) }
      say("open \(Usage())")
    }
    StoreKeeping.closeIdleStores()
    say("closed \(Usage())")
  }

  /// Writes to so many stores, of which fewer may be open, and reads all of them.
  private static func openLimited(_ count: Int, _ folder: URL) async throws {
    Usage.setFileLimit(256)
    StoreKeeping.current = StoreKeeping(seconds: 600, count: count)
    for user in 0..<count { try await write(user, folder) }
    var sum = 0
    for user in 0..<count {
      sum += try await Realm.read(configuration: configuration(user, folder)) { $0.objects(Note.self).count }
    }
    say("read \(sum)")
  }

  /// Writes to a store, keeps it open, and reads it for each line of input.
  private static func beIdle(_ folder: URL) async throws {
    StoreKeeping.current = StoreKeeping(seconds: 600)
    try await write(0, folder)
    say("ready")
    while readLine() != nil {
      say("read \(try await Realm.read(configuration: configuration(0, folder)) { $0.objects(Note.self).count })")
    }
  }
}

/// Writes a line at once, whatever standard output is.
func say(_ text: String) { FileHandle.standardOutput.write(Data("\(text)\n".utf8)) }
