import ArgumentParser
import Foundation
import LarderExchange
import LarderInspection
import LarderStorage

struct DiffCommand: ParsableCommand, PagedVerb {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Compares two stores, or two versions of one, object by object.",
    discussion: """
      Prints what was inserted (+), deleted (-) and modified (~) on the way from the first store to the second, with old \
      and new values. Objects are matched by primary key, or by object key in classes without one. Ends with exit code 1 \
      when the stores differ.

      With --from two versions of one store are compared, by its log: that holds which objects and properties changed, but \
      not what they were. Old values are shown where the older version is still in the file: the last but one is, and all since the \
      oldest that any program reads. New values are shown where they were not changed again since; what was deleted is named by its object \
      key where its values are not known, and embedded objects are listed by themselves. 'larder info' tells how far the log \
      reaches back.

      EXAMPLE
        larder diff monday.larder tuesday.larder
        larder diff monday.larder tuesday.larder City --summary
        larder diff world.larder --from 41 --to 44
        larder diff monday.larder tuesday.larder --json | jq -c .object
        larder diff monday.larder tuesday.larder --format html > changes.html
        larder diff old.larder new.larder --key-file old.key --new-key-file new.key
      """)

  @OptionGroup var encryption: KeyFlags

  @Option(
    help: ArgumentHelp(
      "The encryption key of the second store, where it is another one. Either store may be plain.", valueName: "file"),
    completion: .file())
  var newKeyFile: String?

  @Argument(help: "The store as it was.", completion: .store)
  var old: String

  @Argument(help: "The store as it is; with --from, a class.", completion: .store)
  var new: String?

  @Argument(help: "A class; without one, all.", completion: .schemaName)
  var className: String?

  @Option(help: ArgumentHelp("The version of the one store as it was.", valueName: "version"))
  var from: UInt64?

  @Option(help: ArgumentHelp("The version as it is; without it, the newest.", valueName: "version"))
  var to: UInt64?

  @Flag(help: "Only count what differs, by class.")
  var summary = false

  @OptionGroup var forms: FormFlags

  @OptionGroup var screen: ScreenFlags

  func validate() throws {
    guard from != nil || new != nil else {
      throw ValidationError("name a second store, or versions with --from and --to")
    }
    guard from != nil || to == nil else { throw ValidationError("--to needs --from") }
    guard from == nil || newKeyFile == nil else { throw ValidationError("--new-key-file is for a second store") }
    guard from == nil || className == nil else { throw ValidationError("--from compares versions of one store") }
  }

  func run() throws {
    let snapshot = try StoreAccess.open(reading: old, comparingWith: nil).snapshot()
    if let from {
      try TemporaryFiles.shared.copying(scratch) { try tellVersions(snapshot, from) }
    } else if let new {
      let other = try StoreAccess.open(reading: new, comparingWith: newKeyFile.map { .file($0) }).snapshot()
      let difference = StoreDifference(from: snapshot, to: other)
      let bar = ProgressBar()
      defer { bar.end() }
      try tell(className.map { [$0] } ?? difference.classNames) { name, body in
        let total = try difference.count(className: name)
        try difference.run(className: name, seen: { bar.show("comparing \(name)", $0, of: total) }, body)
      }
    }
  }

  /// Beside which the older version is copied.
  private var scratch: String { "\(FileManager.default.temporaryDirectory.path)/larder-diff" }

  private func tellVersions(_ snapshot: Snapshot, _ from: UInt64) throws {
    let difference = try VersionDifference(snapshot, from: from, to: to, scratch: summary ? nil : scratch)
    let unknown = difference.unknownClasses.filter { name in new.map { $0 == name } ?? true }
    for name in unknown where forms.form != .json {
      Terminal.note("larder: a commit changed so much of '\(name)' that the log does not list it")
    }
    if !difference.knowsOld, !summary, forms.form != .json, from < snapshot.version, !difference.classNames.isEmpty {
      Terminal.note("larder: version \(from) is no longer in the file: the values that it had are not kept")
    }
    try tell(new.map { [$0] } ?? difference.classNames, unknown: unknown) { try difference.run(className: $0, $1) }
  }

  private func stream(_ form: OutputForm) -> TableStream {
    let title = from.map { "\(old) from version \($0)\(to.map { " to \($0)" } ?? "")" } ?? "\(old) and \(new ?? "")"
    let columns = summary ? DifferenceText.summaryColumns : DifferenceText.columns
    return TableStream("Difference: \(title)", columns, form, fitting: Terminal.tableWidth, lineEnd: forms.lineEnd)
  }

  private func tell(
    _ classNames: [String], unknown: [String] = [],
    _ compare: (String, (StoreDifference.Change) throws -> Void) throws -> Void
  ) throws {
    var output = Output()
    let form = forms.form
    var table = form == .table || form == .json ? nil : stream(form)
    var (differs, differing) = (!unknown.isEmpty, 0)
    for name in classNames {
      if form == .json, unknown.contains(name) {
        output.write((["change": .init("unknown"), "class": .init(name)] as JSONValue).line)
      }
      var counts: [StoreDifference.Change.Kind: Int] = [:]
      try compare(name) { change in
        (differs, differing) = (true, differing + 1)
        counts[change.kind, default: 0] += 1
        guard !summary else { return }
        switch form {
        case .table: output.writeChanges(DifferenceText.text(change))
        case .json: output.write(DifferenceText.json(change))
        case .vertical, .csv, .markdown, .html:
          for row in DifferenceText.rows(change) { table?.append(row) { output.write($0) } }
        }
      }
      guard summary, form == .json || !counts.isEmpty else { continue }
      if table != nil {
        table?.append(DifferenceText.summaryRow(name, counts)) { output.write($0) }
      } else {
        output.write(DifferenceText.summary(name, counts, json: form == .json))
      }
    }
    let unlisted = unknown.map { "; a commit changed so much of \($0) that the log does not list it" }.joined()
    table?.finish("\(differing) object\(differing == 1 ? "" : "s") differ\(differing == 1 ? "s" : "")\(unlisted)") {
      output.write($0)
    }
    try output.finish()
    if differs { throw Failure.found }
  }
}
