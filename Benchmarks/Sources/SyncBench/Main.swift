import Foundation
import LarderSync

/// Measures synchronisation through a server that runs: `sync-bench SERVER TOKEN-FILE FOLDER [OBJECTS]`. See `.ci/sync-bench`.
@main
struct Main {
  @MainActor
  static func main() async {
    let arguments = CommandLine.arguments
    guard arguments.count >= 4 else {
      FileHandle.standardError.write(Data("USAGE: sync-bench SERVER TOKEN-FILE FOLDER [OBJECTS]\n".utf8))
      exit(2)
    }
    do {
      let token = try String(contentsOfFile: arguments[2], encoding: .utf8).trimmingCharacters(
        in: .whitespacesAndNewlines)
      let count = arguments.count > 4 ? Int(arguments[4]) ?? 30_000 : 30_000
      try await Rows(server: arguments[1], token: token, folder: arguments[3], count: count).run()
    } catch {
      FileHandle.standardError.write(Data("sync-bench: error: \(error)\n".utf8))
      exit(1)
    }
  }
}
