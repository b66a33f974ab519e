import Foundation

#if Sync
  /// Shows synchronisation with a server that runs: see `.ci/sync-demo`.
  @main
  struct Main {
    static func main() async {
      do {
        switch try Arguments(CommandLine.arguments.dropFirst()) {
        case .help: Console.line(Arguments.usage)
        case .story(let setup): try await Story(setup).run()
        case .device(let setup): try await Device(setup).run()
        }
      } catch {
        FileHandle.standardError.write(Data("sync-demo: error: \(error)\n".utf8))
        exit(1)
      }
    }
  }
#else
  @main
  struct Main {
    static func main() {
      FileHandle.standardError.write(Data("sync-demo: error: it was built without the trait Sync\n".utf8))
      exit(1)
    }
  }
#endif
