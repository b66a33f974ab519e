import ArgumentParser
import Foundation
import LarderExchange
import LarderInspection

struct RepairCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "repair",
    abstract: "Copies what can be read of a damaged store into a new one.",
    discussion: """
      The damaged store is only read, and must not be written meanwhile. Where its pages are damaged or its end is missing, the pages \
      that are sound are read, also those that nothing leads to any more. In the copy indexes, backlinks and counters are made \
      afresh, and values that cannot be read are nil or zero. Ends with exit code 1 when anything was lost; what and where is reported.

      EXAMPLE
        larder repair broken.larder --into saved.larder
        larder repair broken.larder --into saved.larder --json | jq .lostValues
        larder repair broken.larder --into saved.larder --format html > repair.html
      """)

  @OptionGroup var encryption: KeyFlags

  @Argument(help: "The damaged store.", completion: .file())
  var store: String

  @Option(help: ArgumentHelp("The store to make, which must not be there.", valueName: "store"), completion: .file())
  var into: String

  @OptionGroup var forms: FormFlags

  func run() throws {
    guard (try? FileManager.default.attributesOfItem(atPath: into)) == nil else {
      throw InputFileError(path: into, message: "the file is there already; nothing was written")
    }
    TemporaryFiles.shared.add(store: into)
    defer { TemporaryFiles.shared.keep(into) }
    let report: RepairReport
    do {
      report = try TemporaryFiles.shared.copying(into) {
        let source = try Spinner.show("reading the pages") { try RepairSource(path: store, target: into) }
        return try Spinner.show("repairing") {
          try StoreRepair(source, into: try StoreAccess.open(writing: into)).run()
        }
      }
    } catch {
      // An empty store would look like one of which nothing could be saved. One with classes is of another program.
      if (try? StoreAccess.open(reading: into).snapshot().schema.classes.isEmpty) == true {
        for path in [into, into + "-lock"] { try? FileManager.default.removeItem(atPath: path) }
      }
      throw error
    }
    switch forms.form {
    case .table: Terminal.write(report.text())
    case .json: Terminal.write(report.json())
    case .vertical, .csv, .markdown, .html:
      Terminal.write(report.page(store: store, as: forms.form, lineEnd: forms.lineEnd))
    }
    if report.losesAnything { throw Failure.found }
  }
}
