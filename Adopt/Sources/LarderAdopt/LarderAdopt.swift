import AdoptRewriting
import ArgumentParser
import Foundation

@main
struct LarderAdopt: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "larder-adopt",
    abstract: "Rewrites Swift sources that use RealmSwift, its old style included, for Larder.",
    discussion: """
      Give all sources of a program at once: classes are recognised through the classes they derive from, wherever these are declared.

      Exit status: 0 all is done; 1 something is left to do by hand, and listed; 2 the command line is wrong, or a file cannot be read \
      or written.
      """)

  @Flag(help: "Print what would change as a unified diff, and change nothing.")
  var dryRun = false

  @Flag(help: "Print the report as JSON.")
  var json = false

  @Argument(help: "Swift files, or folders that are searched for them.")
  var paths: [String]

  /// Usage errors have the status that the documentation names, and not ArgumentParser's own.
  static func main() {
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch let failure as AdoptFailure {
      stop(failure.description)
    } catch let conflict as EditConflict {
      stop("a fault of larder-adopt: \(conflict); nothing was changed")
    } catch {
      let status = exitCode(for: error)
      if status == .success || error is ExitCode { exit(withError: error) }
      FileHandle.standardError.write(Data((fullMessage(for: error) + "\n").utf8))
      Foundation.exit(2)
    }
  }

  func run() throws {
    let files = try SourceFiles.find(paths)
    var inputs: [Adoption.Input] = []
    for path in files { inputs.append(Adoption.Input(path: path, source: try SourceFiles.read(path))) }
    let outcomes = try Adoption.run(inputs)
    if !dryRun {
      for outcome in outcomes where outcome.state == .changed { try SourceFiles.write(outcome.after, to: outcome.path) }
    }
    let report = AdoptionReport(outcomes, isDryRun: dryRun)
    print(json ? try text(JSONReport(report)) : report.text, terminator: "")
    if !report.isComplete { throw ExitCode(1) }
  }

  private func text(_ report: JSONReport) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(report), as: UTF8.self) + "\n"
  }

  private static func stop(_ message: String) -> Never {
    FileHandle.standardError.write(Data("larder-adopt: error: \(message)\n".utf8))
    Foundation.exit(2)
  }
}
