import LarderExchange
import LarderInspection

/// Makes a store of a file that holds a whole one: what `load` does, and `import` with what `export` wrote.
struct WholeStoreLoad {
  let file: String
  let into: String
  /// The most bytes that a line of the file may have.
  let lineLimit: Int
  let json: Bool
  let quiet: Bool
  /// The word for what happened to the objects, for the line that reports it.
  let done: String
  /// True if all is tried and nothing kept.
  var isTrial = false

  func run() throws {
    let bar = ProgressBar()
    defer { bar.end() }
    let report = try ImportTarget(path: into, isTrial: isTrial).open { store in
      try DumpLoader(store: store, path: file, lineLimit: lineLimit, isTrial: isTrial, progress: bar.show).run()
    }
    bar.end()
    if json {
      Terminal.write((["objects": .init(report.objects), "version": .init(report.version)] as JSONValue).line)
    } else if !quiet {
      Terminal.write(
        "\(report.objects) objects \(isTrial ? "would be " : "")\(done); \(isTrial ? "nothing was kept" : "version \(report.version)")\n"
      )
    }
  }
}
