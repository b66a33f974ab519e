import ArgumentParser
import Foundation

/// A verb that opens the store it is given for writing, when it may.
protocol WritingVerb {
  var writes: Bool { get }
}

/// Permission to change a store that exists.
struct WriteFlag: ParsableArguments {
  @Flag(name: .customLong("write"), help: "Change the store; without it, a store that exists is only read.")
  var isGiven = false

  /// The last words of a verb that was not permitted to write.
  static let hint = "nothing was written: say --write to do it"

  /// Refuses to go on with a store that exists, unless leave is given.
  ///
  /// - Throws: `ValidationError`, before anything was touched.
  func require(for path: String, to action: String) throws {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    // An empty file is no store yet.
    guard !isGiven, let size = attributes?[.size] as? NSNumber, size.intValue > 0 else { return }
    throw ValidationError("'\(path)' is there already: say --write to \(action); nothing was changed")
  }
}
