import Chat
import Fitness
import Foundation
import Legacy
import Library
import Shop
import Todo

// The argument is a `.realm` file that one of them has of its user. Each program makes a store, fills it, reads it back and compares; it throws at the first difference.
let programs: [(name: String, run: () throws -> Void)] = [
  ("todo", { try TodoChecks.run() }),
  ("library", { try LibraryChecks().run() }),
  ("shop", { try ShopChecks.run() }),
  ("chat", { try ChatChecks.run() }),
  ("fitness", { try FitnessChecks.run() }),
  ("legacy", { try LegacyChecks.run() }),
  ("arrival", { try Arriving.run(with: URL(fileURLWithPath: CommandLine.arguments[1])) }),
]

var failures = 0
for program in programs {
  do {
    try program.run()
    print("\(program.name): passed")
  } catch {
    failures += 1
    print("\(program.name): \(error)")
  }
}
exit(failures == 0 ? 0 : 1)
