import Foundation
import LarderInspection
import LarderStorage
import TestSupport
import Testing

/// Stores that cannot be used: a clear message, exit code 1, and the file as it was.
@Suite struct RefusalTests {
  private func unchanged(_ path: String, _ body: () throws -> Void) throws {
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    try body()
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  @Test func aMissingStoreIsNotMade() throws {
    try withTemporaryDirectory { directory in
      let path = directory.file("no.larder")
      for verb in ["info", "check", "classes"] { try expectFailure(verb, path, words: "no store", path) }
      try expectFailure("inspect", path, "T", "1", words: "no store")
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }

  @Test func aFileThatIsNoStore() throws {
    try withTemporaryDirectory { directory in
      let text = try directory.write(String(repeating: "This is a text.\n", count: 2_000), to: "text.larder")
      let csv = try directory.write("a\n1\n", to: "x.csv")
      try unchanged(text) {
        for verb in ["info", "check", "classes"] { try expectFailure(verb, text, words: text) }
        try expectFailure("import", "--write", csv, "--into", text, "--class", "T", words: text)
      }
      try expectFailure("info", directory.path, words: directory.path)
    }
  }

  @Test func aTruncatedStore() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let whole = try Data(contentsOf: URL(fileURLWithPath: store))
      for part in [100, 5_000, whole.count / 2, whole.count - 9_000] {
        let cut = try directory.write(whole.prefix(part), to: "cut-\(part).larder")
        try unchanged(cut) {
          let result = try larder("check", cut)
          // Damage was found, or there is nothing left to look for it in.
          #expect(result.status == 1 || result.status == 3, "\(part) of \(whole.count) bytes")
          #expect(result.errors.contains("larder: error: "), "\(result.errors)")
        }
      }
    }
  }

  @Test func aStoreOfANewerFormat() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      var bytes = try Data(contentsOf: URL(fileURLWithPath: store))
      let magic = withUnsafeBytes(of: UInt64(0x5245_4452_414C_0001).littleEndian) { Data($0) }
      var start = bytes.startIndex
      var patched = 0
      while let found = bytes.range(of: magic, in: start..<bytes.endIndex) {
        bytes[found.upperBound] = 99
        patched += 1
        start = found.upperBound
      }
      #expect(patched > 0)
      let newer = try directory.write(bytes, to: "newer.larder")
      try unchanged(newer) { try expectFailure("info", newer, words: "format", "99") }
    }
  }

  @Test func damageInALeafIsFoundByCheck() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      var bytes = try Data(contentsOf: URL(fileURLWithPath: store))
      let needle = Data("Liechtenstein".utf8)
      var start = bytes.startIndex
      while let found = bytes.range(of: needle, in: start..<bytes.endIndex) {
        bytes[found.lowerBound] ^= 1
        start = found.upperBound
      }
      let damaged = try directory.write(bytes, to: "damaged.larder")
      let result = try larder("check", damaged)
      #expect(result.status == 1)
      #expect(result.output.contains("Country") && result.errors.contains("problem"), "\(result)")
      let json = try larder("check", damaged, "--json")
      #expect(json.status == 1 && json.errors.isEmpty)
      let report = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
      #expect(
        report?["sound"] as? Bool == false && (report?["problems"] as? [String])?.isEmpty == false, "\(json.output)")
    }
  }

  @Test func resultsThatCannotBeWrittenAreAnError() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let tool = try WorkerProcess.executable("larder").path
      for verb in ["dump \"$1\"", "query \"$1\" Country", "info \"$1\"", "schema \"$1\"", "du \"$1\""] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "exec \"$0\" \(verb) > /dev/full", tool, store]
        let errors = Pipe()
        process.standardError = errors
        try process.run()
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 3, "\(verb): \(text)")
        #expect(text.hasPrefix("larder: error: the results cannot be written"), "\(verb): \(text)")
      }
    }
  }

  @Test("Messages that cannot be written change no exit code")
  func messagesThatCannotBeWritten() throws {
    try withTemporaryDirectory { directory in
      let tool = try WorkerProcess.executable("larder").path
      let file = try directory.write("a b,c;d\n1,2\n", to: "n.csv")
      for (line, status) in [
        ("classes nosuch", 3), ("nosuchverb", 2), ("import \"$1\" --into \"$2\" --class K", 0),
        ("classes \"$2\" --nosuch", 2),
      ] as [(String, Int32)] {
        for closed in ["2>/dev/full", "2>&-"] {
          try? FileManager.default.removeItem(atPath: directory.file("s.larder"))
          let process = Process()
          process.executableURL = URL(fileURLWithPath: "/bin/sh")
          process.arguments = [
            "-c", "exec \"$0\" \(line) >/dev/null \(closed)", tool, file, directory.file("s.larder"),
          ]
          try process.run()
          process.waitUntilExit()
          #expect(process.terminationReason == .exit && process.terminationStatus == status, "\(line) \(closed)")
        }
      }
    }
  }

  @Test func aFullDiskLeavesTheStoreAsItWas() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let rows = (0..<30_000).map { "\($0),\(String(repeating: "x", count: 40))\($0 * 7919)" }
      let file = try directory.write("id,text\n" + rows.joined(separator: "\n"), to: "big.csv")
      let size = try Data(contentsOf: URL(fileURLWithPath: store)).count
      // The shell counts in blocks of 512 bytes; the lock file is small.
      let tool = try WorkerProcess.executable("larder").path
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      let limit = size / 512 + 64
      process.arguments = [
        "-c", "ulimit -f \(limit); exec \"$0\" import \"$1\" --into \"$2\" --class Big --write", tool, file, store,
      ]
      let errors = Pipe()
      process.standardError = errors
      try process.run()
      let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      #expect(process.terminationReason == .exit && process.terminationStatus == 3, "\(text)")
      #expect(text.contains("larder: error: ") && text.lowercased().contains("space"), "\(text)")
      #expect(try counted(store, "Country") == (252, 2))
      #expect(try counted(store, "Big").count == 0)
      try expectLarder("check", store, "--deep", "--quiet")
    }
  }

  /// Root may read everything, so root runs the tool as another user.
  private static let stranger =
    getuid() == 0 ? ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : []

  private static func asStranger(_ arguments: [String]) throws -> (status: Int32, errors: String) {
    let line = stranger + [try WorkerProcess.executable("larder").path] + arguments
    let process = Process()
    process.executableURL = URL(fileURLWithPath: line[0])
    process.arguments = Array(line.dropFirst())
    let errors = Pipe()
    process.standardError = errors
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }

  private static func strangersCanRunTheTool() -> Bool { (try? asStranger(["--version"]).status) == 0 }

  @Test(.enabled(if: strangersCanRunTheTool(), "no other user may run the tool here"))
  func anUnreadableStore() throws {
    try withTemporaryDirectory { directory in
      // Not in the tests' own folder, which is closed to others already.
      let open = "\(NSTemporaryDirectory())/larder-open-\(UUID().uuidString)"
      let manager = FileManager.default
      try manager.createDirectory(
        atPath: open, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
      defer { try? manager.removeItem(atPath: open) }
      let store = open + "/world.larder"
      try manager.copyItem(atPath: try importCountries(directory), toPath: store)
      try manager.setAttributes([.posixPermissions: 0], ofItemAtPath: store)
      for verb in ["info", "check", "classes"] {
        let result = try Self.asStranger([verb, store])
        #expect(result.status == 3)
        #expect(result.errors.contains("larder: error: ") && result.errors.contains("permission"), "\(result.errors)")
      }
      try manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: store)
      #expect(try counted(store, "Country") == (252, 2))
      if getuid() == 0 {
        try manager.setAttributes([.posixPermissions: 0o700], ofItemAtPath: open)
        #expect(try Self.asStranger(["info", store]).errors.contains("permission denied for a folder"))
      }
    }
  }
}
