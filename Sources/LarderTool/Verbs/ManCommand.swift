import ArgumentParser
import LarderInspection

struct ManCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "man",
    abstract: "Prints the manual page, for man.",
    discussion: """
      EXAMPLE
        larder man > /usr/local/share/man/man1/larder.1
        larder man | man -l -
      """)

  func run() throws { Terminal.write(try ManPage(dump: RootCommand.type._dumpHelp()).text) }
}
