import LarderExchange
import LarderInspection

/// The notice of `.realm` files that were converted to be read.
enum RealmFileNotice {
  static func tell(_ conversion: ConvertedRealmFiles.Conversion) {
    guard let report = conversion.report else {
      // Control-C is to take it away, too.
      TemporaryFiles.shared.add(conversion.folder)
      return say("'\(conversion.file)' is a Realm file: it is read as a temporary store", conversion.file)
    }
    guard report.omissionCount > 0 else { return }
    say(
      "\(report.omissionCount) values or objects of '\(conversion.file)' are not in that store; "
        + "'larder import --dry-run' lists them", conversion.file)
  }

  private static func say(_ sentence: String, _ path: String) {
    if Failure.isJSON(CommandLine.arguments) {
      Failure.warn(sentence, path: path)
    } else {
      Terminal.note("larder: \(sentence)")
    }
  }
}
