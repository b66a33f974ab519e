import ArgumentParser
import LarderExchange

/// In which form a file is.
struct FormatFlags: ParsableArguments {
  @Option(help: "jsonl, csv or tsv; by default the file's name tells.")
  var format: InputFormat?

  @Option(help: "The character between CSV fields.")
  var separator: String?

  func validate() throws {
    if let separator, separator.utf8.count != 1 {
      throw ValidationError("--separator takes one ASCII character, not '\(separator)'")
    }
  }
}

extension InputFormat: ExpressibleByArgument {}
