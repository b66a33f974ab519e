import ArgumentParser
import Foundation
import LarderExchange
import LarderInspection

/// The key of encrypted stores, for every verb that opens one.
struct KeyFlags: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The encryption key: a file of 64 bytes, or of 128 hexadecimal digits. Otherwise the digits in LARDER_KEY, if set.
      """, valueName: "file"), completion: .file())
  var keyFile: String?

  // Called before the verb runs; a verb in a shell goes on with the shell's key. What is wrong with the key is reported when a store is opened.
  func validate() throws {
    if let keyFile {
      StoreAccess.keySource = .file(keyFile)
    } else if case .none = StoreAccess.keySource {
      StoreAccess.keySource = KeySource(environment: ProcessInfo.processInfo.environment)
    }
  }
}
