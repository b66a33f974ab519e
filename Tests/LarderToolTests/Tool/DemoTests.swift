import Foundation
import TestSupport
import Testing

/// The program of `make demo`, as far as its command line goes.
@Suite struct DemoTests {
  @Test("F-76: the demo prints help, refuses what it does not know, and deletes nothing then")
  func arguments() throws {
    try withTemporaryDirectory { directory in
      let kept = try directory.write("kept", to: "kept.larder")
      for (arguments, status, word) in [
        (["--store", kept, "--help"], 0, "USAGE: geonames-demo"), (["-h"], 0, "--fixtures FOLDER"),
        (["--store", kept, "--hlep"], 2, "no option '--hlep'"), ([kept], 2, "no option"),
        (["--fixtures", "--store", kept], 2, "'--fixtures' needs a value"),
        (["--fixtures", directory.file("none"), "--store"], 2, "'--store' needs a value"),
      ] {
        let result = try WorkerProcess.run("geonames-demo", arguments)
        #expect(
          Int(result.status) == status && (result.output + result.errors).contains(word), "\(arguments): \(result)")
        #expect(try String(contentsOfFile: kept, encoding: .utf8) == "kept")
      }
    }
  }
}
