import ArgumentParser
import LarderExchange
import LarderInspection

/// In which form a verb that looks at a store writes what it finds.
struct FormFlags: ParsableArguments {
  @Option(help: "table (as without it), vertical (a value a line), json, csv, markdown or html (a page).")
  var format = OutputForm.table

  @Flag(help: "The same as --format json; errors, counts and plans are JSON, too.")
  var json = false

  @Flag(help: "The same as --format vertical.")
  var vertical = false

  @Flag(help: "Rows of CSV end with CR and LF.")
  var crlf = false

  /// The end of rows of CSV.
  var lineEnd: String { crlf ? "\r\n" : CSVText.lineEnd }

  /// The form that was chosen.
  var form: OutputForm { json ? .json : vertical ? .vertical : format }

  func validate() throws {
    guard !crlf || form == .csv else { throw ValidationError("--crlf is for --format csv") }
    guard !(json && vertical) else { throw ValidationError("choose one of --json and --vertical") }
    for (isGiven, name) in [(json, "json"), (vertical, "vertical")] where isGiven {
      guard format == .table || format.rawValue == name else {
        throw ValidationError("choose one of --\(name) and --format \(format.rawValue)")
      }
    }
  }
}

extension OutputForm: ExpressibleByArgument {}
