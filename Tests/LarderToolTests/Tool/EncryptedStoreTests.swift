import Foundation
import LarderExchange
import LarderInspection
import LarderStorage
import TestSupport
import Testing

@Suite("The tool and encrypted stores") struct EncryptedStoreTests {
  private let directory: TemporaryDirectory
  private let key: String
  private let digits: String
  private let store: String

  init() throws {
    directory = try TemporaryDirectory()
    let bytes = (0..<64).map { UInt8($0 * 3 + 1) }
    key = try directory.write(bytes, to: "key")
    digits = bytes.map { String(format: "%02x", $0) }.joined()
    store = directory.file("store.larder")
    let rows = (0..<400).map { "\($0),name \($0 % 50),\(String(repeating: "text \($0) ", count: $0 % 40))" }
    let input = try directory.write("id,name,text\n" + rows.joined(separator: "\n"), to: "rows.csv")
    try expectLarder(
      "import", input, "--into", store, "--class", "Row", "--primary-key", "id", "--index", "name", "--key-file", key,
      "--quiet")
  }

  private func run(_ arguments: String..., key: String) throws -> (status: Int32, output: String, errors: String) {
    try WorkerProcess.run("larder", arguments, environment: [KeySource.variable: key])
  }

  @Test("the key comes from a file, in bytes or digits, or from the environment")
  func sources() throws {
    let text = try directory.write("  \(digits.uppercased())\n", to: "digits")
    for file in [key, text] {
      let info = try expectLarder("info", store, "--key-file", file)
      #expect(info.contains("encrypted       yes"))
    }
    #expect(try run("classes", store, key: digits).output.contains("Row  400 objects"))
    #expect(try expectLarder("info", store, "--key-file", key, "--json").contains("\"encrypted\": true"))
    // What is set for all stores is not in the way of plain ones.
    let plain = directory.file("plain.larder")
    try expectLarder("import", directory.file("rows.csv"), "--into", plain, "--class", "Row", "--quiet")
    #expect(try run("info", plain, key: digits).output.contains("encrypted       no"))
  }

  @Test("LARDER_KEY that is empty is none, and one that is no key is not in the way of plain stores")
  func environments() throws {
    let plain = directory.file("plain.larder")
    try expectLarder("import", directory.file("rows.csv"), "--into", plain, "--class", "Row", "--quiet")
    for text in ["", "deadbeef"] { #expect(try run("info", plain, key: text).status == 0, "'\(text)'") }
    let unset = try run("info", store, key: "")
    #expect(unset.status == 3 && unset.errors.contains("--key-file"), "\(unset)")
    // A new store was to be encrypted.
    let new = directory.file("new.larder")
    let refused = try run("import", directory.file("rows.csv"), "--into", new, "--class", "Row", key: "deadbeef")
    #expect(refused.status == 3 && refused.errors.contains("holds no key"), "\(refused)")
    #expect(!FileManager.default.fileExists(atPath: new))
  }

  @Test("the key may come from a pipe, and what is no key file is called what it is")
  func keyFiles() throws {
    let piped = try bash("\"$0\" info \"$1\" --key-file <(cat \"$2\")", store, key)
    #expect(piped.status == 0 && piped.output.contains("encrypted       yes"), "\(piped)")
    let typed = try bash("cat \"$2\" | \"$0\" diff \"$1\" \"$1\" --key-file /dev/stdin", store, key)
    #expect(typed.status == 0, "\(typed)")
    try expectFailure("info", store, "--key-file", directory.path, words: "it is a folder")
    try expectFailure("info", store, "--key-file", "/dev/zero", words: "more than 4096 bytes")
  }

  @Test("diff compares encrypted stores with plain ones and with those of other keys")
  func comparing() throws {
    let (plain, other) = (directory.file("plain.larder"), directory.file("other.larder"))
    let otherKey = try directory.write([UInt8](repeating: 9, count: 64), to: "other")
    let rows = directory.file("rows.csv")
    for arguments in [[plain], [other, "--key-file", otherKey]] {
      let result = try WorkerProcess.run(
        "larder",
        ["import", rows, "--class", "Row", "--primary-key", "id", "--index", "name", "--quiet", "--into"] + arguments)
      #expect(result.status == 0, "\(result)")
    }
    #expect(try expectLarder("diff", store, plain, "--key-file", key).isEmpty)
    #expect(try expectLarder("diff", plain, store, "--key-file", key).isEmpty)
    #expect(try expectLarder("diff", store, other, "--key-file", key, "--new-key-file", otherKey).isEmpty)
    #expect(try expectLarder("diff", plain, other, "--new-key-file", otherKey).isEmpty)
    try expectFailure("diff", store, other, "--key-file", key, words: "cannot be decrypted")
    let short = try directory.write("deadbeef", to: "short")
    try expectFailure("diff", plain, plain, "--key-file", short, words: "holds no key")
  }

  @Test("without the key, with another and with none that is one the tool says what to do, and shows no key")
  func refusals() throws {
    try expectFailure("info", store, words: "is encrypted", "--key-file", KeySource.variable)
    let other = try directory.write([UInt8](repeating: 9, count: 64), to: "other")
    try expectFailure("info", store, "--key-file", other, words: "cannot be decrypted with this key")
    let short = try directory.write("deadbeef", to: "short")
    try expectFailure("info", store, "--key-file", short, words: "holds no key: 8 bytes", "128 hexadecimal digits")
    try expectFailure("info", store, "--key-file", directory.file("none"), words: "cannot be read")
    let wrong = try run("info", store, key: "deadbeef")
    #expect(wrong.status == 3 && wrong.errors.contains("LARDER_KEY holds no key") && !wrong.errors.contains("deadbeef"))
    let plain = directory.file("plain.larder")
    try expectLarder("import", directory.file("rows.csv"), "--into", plain, "--class", "Row", "--quiet")
    try expectFailure("info", plain, "--key-file", key, words: "is not encrypted")
  }

  @Test("backups and compacted stores stay encrypted; a dump is in clear")
  func copies() throws {
    let (backup, dump) = (directory.file("backup.larder"), directory.file("dump.jsonl"))
    try expectLarder("backup", store, backup, "--key-file", key)
    try expectLarder("compact", backup, "--key-file", key)
    try expectFailure("check", backup, words: "is encrypted")
    try expectLarder("check", backup, "--deep", "--quiet", "--key-file", key)
    try expectLarder("diff", store, backup, "--key-file", key)
    let text = try expectLarder("dump", store, "--key-file", key)
    #expect(text.contains("name 49"))
    try text.write(toFile: dump, atomically: true, encoding: .utf8)
    let loaded = directory.file("loaded.larder")
    try expectLarder("load", dump, "--into", loaded, "--key-file", key, "--quiet")
    #expect(try expectLarder("info", loaded, "--key-file", key).contains("encrypted       yes"))
    #expect(try expectLarder("dump", loaded, "--key-file", key) == text)
    #expect(try Data(contentsOf: URL(fileURLWithPath: loaded)).range(of: Data("name 49".utf8)) == nil)
  }

  @Test("an import that is killed leaves a store that its key opens, as it was before or after a commit")
  func kills() throws {
    var random = SeededRandom.forTest()
    for round in 1...15 {
      let rows = (0..<300).map { "\($0),round \(round),\(String(repeating: "x", count: round * $0 % 90))" }
      let input = try directory.write("id,name,text\n" + rows.joined(separator: "\n"), to: "again.csv")
      let worker = try WorkerProcess(
        "larder",
        [
          "import", input, "--into", store, "--class", "Row", "--primary-key", "id", "--update", "--write", "--quiet",
          "--key-file",
          key,
        ])
      usleep(UInt32(random.int(0...250_000)))
      worker.kill()
      try expectLarder("check", store, "--deep", "--quiet", "--key-file", key)
      let names = try expectLarder(
        "query", store, "Row", "id < 300", "--format", "csv", "--properties", "name", "--key-file", key)
      let found = Set(
        names.split(whereSeparator: \.isNewline).dropFirst().map { $0.hasPrefix("round") ? String($0) : "first" })
      #expect(found.count == 1, "round \(round): \(found)")
    }
  }

  @Test("a flipped byte anywhere in the file: the right answer, or damage is reported")
  func flips() throws {
    var random = SeededRandom.forTest()
    let sound = try Data(contentsOf: URL(fileURLWithPath: store))
    let answer = try expectLarder("dump", store, "--key-file", key)
    for round in 0..<40 {
      var damaged = sound
      let place = random.int(0..<sound.count)
      damaged[place] ^= UInt8(random.int(1...255))
      let path = directory.file("flipped-\(round).larder")
      try damaged.write(to: URL(fileURLWithPath: path))
      let dump = try larder("dump", path, "--key-file", key)
      #expect(dump.status == 0 || dump.status == 3, "byte \(place): \(dump.errors)")
      guard dump.status == 0, dump.output != answer else { continue }
      let check = try larder("check", path, "--deep", "--key-file", key)
      #expect(check.status == 1 || check.status == 3, "byte \(place) changed what is read, and check does not tell")
    }
  }
}
