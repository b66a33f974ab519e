import Foundation

/// The options of the command line.
struct Options {
  static let help = """
    usage: larder-bench [--quick] [--n COUNT] [--rounds COUNT] [--only IDS] [--peers NAMES] [--disk FOLDER] [--json FILE]
                        [--against FILE] [--memory]

      --quick    100,000 objects instead of 1,000,000
      --n        the number of objects
      --rounds   how often everything is measured (5)
      --only     workloads, with commas between them
      --peers    of larder, grdb, sqlite, lmdb, with commas between them
      --disk     a folder on a real disk, for the durable commits
      --json     where to write the figures
      --against  figures of an earlier run; a second table says how many times as long each row takes now
      --memory   also the most memory that each row of the first stores needed, above what was there
    """

  var count = 1_000_000
  var rounds = 5
  var only: Set<String> = []
  var peers = ["larder", "grdb", "sqlite", "lmdb"]
  var json: String?
  var against: String?
  var showsMemory = false
  var memoryRoot: String
  var diskRoot: String

  init(_ arguments: [String]) throws {
    let unique = "larder-bench-\(ProcessInfo.processInfo.processIdentifier)"
    var disk = FileManager.default.currentDirectoryPath
    var remaining = arguments[...]
    func value(of option: String) throws -> String {
      guard let value = remaining.popFirst() else { throw BenchmarkError("\(option) needs a value\n\(Self.help)") }
      return value
    }
    func number(of option: String) throws -> Int {
      let text = try value(of: option)
      guard let number = Int(text), number > 0 else { throw BenchmarkError("\(option) needs a number, not \(text)") }
      return number
    }
    while let option = remaining.popFirst() {
      switch option {
      case "--quick": count = 100_000
      case "--n": count = try number(of: option)
      case "--rounds": rounds = try number(of: option)
      case "--only": only = Set(try value(of: option).split(separator: ",").map(String.init))
      case "--peers": peers = try value(of: option).split(separator: ",").map(String.init)
      case "--disk": disk = try value(of: option)
      case "--json": json = try value(of: option)
      case "--against": against = try value(of: option)
      case "--memory": showsMemory = true
      default: throw BenchmarkError("unknown option \(option)\n\(Self.help)")
      }
    }
    if let unknown = only.first(where: { !Workload.reportOrder.contains($0) }) {
      throw BenchmarkError("unknown workload \(unknown); there are \(Workload.reportOrder.joined(separator: ", "))")
    }
    diskRoot = "\(disk)/\(unique)"
    let memory = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
    memoryRoot = "\(memory)/\(unique)"
  }

  func wants(_ workload: String) -> Bool { only.isEmpty || only.contains(workload) }
}
