import ArgumentParser
import Foundation
import LarderExchange
import LarderInspection

struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Writes a store for other programs, as JSON Lines, CSV or SQLite; `import` reads it again without loss.",
    discussion: """
      JSON Lines and CSV make a folder with a file for each class and the schema; SQLite makes one file with a table for each \
      class, and one for each list, set and map. With --class one class is written, to standard output or a file. Links are the \
      primary key of what they lead to, or its row. The store may be in use meanwhile: all is of one version.

      EXAMPLE
        larder export world.larder --into world --format csv
        larder export world.larder --into world.sqlite
        larder export world.larder --class City --format csv > cities.csv
      """)

  @OptionGroup var encryption: KeyFlags

  @Argument(help: "The store.", completion: .store)
  var store: String

  @Option(
    help: ArgumentHelp("The folder or file to make, which must not be there.", valueName: "path"), completion: .file())
  var into: String?

  @Option(help: "jsonl, csv or sqlite; by default the name of the file tells, such as .csv with --class, else jsonl.")
  var format: ExportFormat?

  @Option(name: .customLong("class"), help: "One class only.", completion: .schemaName)
  var className: String?

  @Flag(help: "Rows of CSV end with CR and LF.")
  var crlf = false

  @Flag(help: "Tell what was written as JSON.")
  var json = false

  @Flag(name: .shortAndLong, help: "Say nothing when all goes well.")
  var quiet = false

  private var chosenFormat: ExportFormat { format ?? into.flatMap { ExportFormat(path: $0) } ?? .jsonl }

  private var lineEnd: String { crlf ? "\r\n" : CSVText.lineEnd }

  func validate() throws {
    guard !crlf || chosenFormat == .csv else { throw ValidationError("--crlf is for CSV") }
    guard into != nil || className != nil else {
      throw ValidationError("say where to write with --into, or one class with --class")
    }
    if let into, className == nil, format == nil, let named = ExportFormat(path: into), named != .sqlite {
      throw ValidationError(
        "'\(into)' is the name of one file, and \(named.rawValue) makes a folder: say --class for one class, or --format "
          + "\(named.rawValue) for a folder of that name")
    }
    guard chosenFormat != .sqlite || (into != nil && className == nil) else {
      throw ValidationError("an SQLite file holds all classes, and is made with --into")
    }
  }

  func run() throws {
    if let into, (try? FileManager.default.attributesOfItem(atPath: into)) != nil {
      throw InputFileError(path: into, message: "it is there already; nothing was written")
    }
    let snapshot = try StoreAccess.open(reading: store).snapshot()
    let bar = ProgressBar()
    defer { bar.end() }
    let total = try StoreAccess.objectCount(in: snapshot, className: className)
    func show(_ objects: Int) { bar.show("exporting", objects, of: total) }
    let written: (objects: Int, danglingLinks: Int)
    if let className {
      func writeClass() throws -> (objects: Int, danglingLinks: Int) {
        let export = FolderExport(snapshot, chosenFormat, lineEnd: lineEnd)
        var output = try into.map { try Output(creating: $0) } ?? Output(chosenFormat == .jsonl ? .json : .visible)
        let objects = try export.write(className: className, progress: show) { output.write(bytes: $0) }
        try output.finish()
        return (objects, export.danglingLinks)
      }
      written = try into.map { try TemporaryFiles.shared.making($0, writeClass) } ?? writeClass()
    } else {
      guard let into else { return }
      written = try TemporaryFiles.shared.making(into) {
        if chosenFormat == .sqlite {
          let export = SQLiteExport(snapshot)
          return (try export.write(to: into, progress: show), export.danglingLinks)
        }
        let export = FolderExport(snapshot, chosenFormat, lineEnd: lineEnd)
        return (try write(export, into, show), export.danglingLinks)
      }
    }
    bar.end()
    tell(written.objects, written.danglingLinks)
  }

  private func write(_ export: FolderExport, _ folder: String, _ show: (Int) -> Void) throws -> Int {
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    } catch {
      throw InputFileError(path: folder, message: "the folder cannot be made: \(error.localizedDescription)")
    }
    var objects = 0
    for (name, className) in export.files {
      var output = try Output(creating: "\(folder)/\(name)")
      if let className {
        objects += try export.write(className: className, progress: { show(objects + $0) }) { output.write(bytes: $0) }
      } else {
        output.write(try export.schema())
      }
      try output.finish()
    }
    return objects
  }

  private func tell(_ objects: Int, _ danglingLinks: Int) {
    if danglingLinks > 0, !json {
      Terminal.note("larder: \(danglingLinks) links to deleted objects were left out")
    }
    guard let into else { return }
    if json {
      let value: JSONValue = [
        "file": .init(into), "format": .init(chosenFormat.rawValue), "objects": .init(objects),
        "danglingLinks": .init(danglingLinks),
      ]
      Terminal.write(value.line)
    } else if !quiet {
      Terminal.write("\(into): \(objects) objects\n")
    }
  }
}

extension ExportFormat: ExpressibleByArgument {}
