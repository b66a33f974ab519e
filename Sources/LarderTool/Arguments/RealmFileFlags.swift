import ArgumentParser
import Foundation
import LarderInspection

/// The flags of an import of a `.realm` file.
struct RealmFileFlags: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The key of the new store: 64 bytes, or 128 hexadecimal digits. Otherwise the digits in LARDER_KEY, if set, "
        + "or the key of an encrypted file.",
      valueName: "file"), completion: .file())
  var newKeyFile: String?

  @Flag(help: "The new store is not encrypted, though the file is.")
  var plain = false

  @Option(
    help: ArgumentHelp(
      "Write what was and was not imported to a new file: a page if it ends in .html, Markdown in .md, else JSON.",
      valueName: "file"), completion: .file())
  var report: String?

  /// Returns the form of a report, by the name of its file.
  static func form(ofReport file: String) -> OutputForm {
    switch URL(fileURLWithPath: file).pathExtension.lowercased() {
    case "html", "htm": .html
    case "md", "markdown": .markdown
    default: .json
    }
  }

  /// Refuses the flags for a file of another kind.
  func refuse(for file: String) throws {
    guard newKeyFile == nil, report == nil, !plain else {
      throw ValidationError("'\(file)' is no .realm file: --new-key-file, --plain and --report are for those")
    }
  }
}
