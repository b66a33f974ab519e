import LarderExchange
import LarderInspection

/// Imports the tables of a SQLite file: what `import` does with one that `export` did not write.
struct TablesImport {
  let options: SQLiteImportOptions
  let into: String
  let json: Bool
  let quiet: Bool

  func run() throws {
    let bar = ProgressBar()
    defer { bar.end() }
    let report = try ImportTarget(path: into, isTrial: options.isTrial).open { store in
      try SQLiteImporter(store: store, options: options, progress: bar.show).run()
    }
    bar.end()
    tell(report)
    guard report.skipped.isEmpty else { throw Failure.found }
  }

  private func tell(_ report: SQLiteImportReport) {
    guard !json else { return Terminal.write(report.json) }
    if !quiet {
      for notice in report.notices { Terminal.note("larder: \(notice)") }
      for entry in report.classes {
        Terminal.write("\(entry.name): \(entry.objects) \(options.isTrial ? "would be imported" : "imported")\n")
        if options.isTrial { for property in entry.properties { Terminal.write("  \(property)\n") } }
      }
      Terminal.write(options.isTrial ? "nothing was kept: this was a trial\n" : "version \(report.version)\n")
    }
    guard !report.skipped.isEmpty else { return }
    for fault in report.skipped { Terminal.note("larder: skipped: \(fault)") }
    Terminal.complain("\(report.skipped.count) value\(report.skipped.count == 1 ? "" : "s") or rows left out")
  }
}
