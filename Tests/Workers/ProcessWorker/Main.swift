import Foundation
import Larder

/// A process of its own for what processes do as a whole: forking within a transaction, and ending while threads are busy.
///
/// `ProcessWorker fork PATH`, `ProcessWorker end PATH exit|return threads|queued`. Stores are encrypted.
@main
enum ProcessWorker {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count >= 3 else { exit(64) }
    var configuration = Realm.Configuration(fileURL: URL(fileURLWithPath: arguments[2]), objectTypes: [Entry.self])
    configuration.encryptionKey = Data((0..<64).map { UInt8($0) })
    configuration.durability = Realm.Durability.none
    switch arguments[1] {
    case "fork": try Forking(configuration).run()
    case "end" where arguments.count == 5:
      try BusyEnd(configuration, isQueued: arguments[4] == "queued").begin()
      if arguments[3] == "exit" { exit(7) }
    default: exit(64)
    }
  }
}

/// Writes a line at once, whatever standard output is.
func say(_ text: String) { FileHandle.standardOutput.write(Data("\(text)\n".utf8)) }
