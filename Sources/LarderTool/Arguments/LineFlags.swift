import ArgumentParser
import LarderExchange
import LarderInspection

/// The limit of the length of input lines.
struct LineFlags: ParsableArguments {
  @Option(
    name: .customLong("max-line"),
    help: ArgumentHelp("How many bytes a line may have, unpacked; K, M and G are units of 1024.", valueName: "size"))
  var size: LineSize?

  /// For a file of another program.
  var limit: Int { size?.bytes ?? LineLimit.usual }
  /// For what `dump` or `export` wrote.
  var dumpLimit: Int { size?.bytes ?? LineLimit.ofDumps }
}

/// A number of bytes on the command line.
struct LineSize: ExpressibleByArgument {
  let bytes: Int

  init?(argument: String) {
    guard let bytes = LineLimit.parse(argument) else { return nil }
    self.bytes = bytes
  }
}
