import Foundation
import TestSupport
import Testing

/// The completions of bash with the script that `larder completions bash` prints.
@Suite struct CompletionTests {
  /// The words that bash offers for the last of some words.
  private func offered(_ words: [String], in folder: String) throws -> [String] {
    let result = try bash(
      """
      cd "$1"; shift; PATH="$(dirname "$0"):$PATH"; shopt -s extglob
      eval "$("$0" completions bash)"
      COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}; COMPREPLY=()
      _larder 2>/dev/null; printf '%s\\n' "${COMPREPLY[@]}"
      """, [folder] + words)
    return result.output.split(separator: "\n").map(String.init)
  }

  @Test("F-164: bash completes a store past its lock file, and then classes and properties")
  func bashCompletes() throws {
    try withTemporaryDirectory { directory in
      let file = try directory.write("name,size,note\na,1,x\n", to: "x.csv")
      try expectLarder("import", file, "--into", directory.file("nyc.larder"), "--class", "Flight")
      try expectLarder(
        "import", file, "--into", directory.file("nyc.larder"), "--write", "--class", "Airport")
      #expect(FileManager.default.fileExists(atPath: directory.file("nyc.larder-lock")))
      _ = try directory.write("", to: "odd$(touch x) .larder")
      let folder = directory.path
      #expect(try offered(["larder", "query", "ny"], in: folder) == ["nyc.larder"])
      #expect(try offered(["larder", "query", "odd"], in: folder) == [])
      #expect(try offered(["larder", "query", folder + "/n"], in: folder) == [folder + "/nyc.larder"])
      #expect(
        try offered(["larder", "query", "nyc.larder", ""], in: folder).filter { !$0.hasPrefix("-") } == [
          "Airport", "Flight",
        ])
      #expect(try offered(["larder", "classes", "nyc.larder", "F"], in: folder) == ["Flight"])
      #expect(try offered(["larder", "query", "nyc.larder", "Flight", "n"], in: folder) == ["name", "note"])
      #expect(try offered(["larder", "query", "nyc.larder", "Flight", "--sort", "s"], in: folder) == ["size"])
      #expect(try offered(["larder", "query", "x.csv", "F"], in: folder) == [])
    }
  }
}
