import Foundation
import LarderExchange
import LarderInspection

/// The entry point of the tool.
@main
enum Main {
  static func main() {
    Terminal.openStandardFiles()
    // A file size limit is to be an error of the write, which can be reported, and not the end of the process.
    signal(SIGXFSZ, SIG_IGN)
    RootCommand.set(LarderCommand.self)
    let interruption = TemporaryFiles.shared.watch()
    defer { withExtendedLifetime(interruption) {} }
    KeySource.warn { Failure.warn($0, path: $1) }
    ConvertedRealmFiles.shared.onConversion { RealmFileNotice.tell($0) }
    do {
      try RootCommand.run(Array(CommandLine.arguments.dropFirst()))
    } catch {
      TemporaryFiles.shared.waitForInterruption()
      Failure.report(error)
    }
  }
}
