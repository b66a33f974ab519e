import ArgumentParser
import Foundation
import LarderLocks
import LarderStorage
import LarderStudio

struct StudioCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "studio",
    abstract: "Serves a page that looks into a store while programs use it.",
    discussion: """
      Prints an address with a secret; who has it sees the store, and with --write may change objects. It is reached from this \
      computer only, through ssh with 'ssh -L'. Control-C ends it. docs/studio.md shows the page.

      EXAMPLE
        larder studio world.larder --port 8080
        larder studio world.larder --write --socket studio.socket
      """)

  @OptionGroup var encryption: KeyFlags

  @Argument(help: "The store.", completion: .store)
  var store: String

  @Flag(help: "Let the page change objects.")
  var write = false

  @Option(parsing: .unconditional, help: "The port; without one, any that is free.")
  var port: UInt16?

  @Option(help: ArgumentHelp("A socket in a folder instead of a port.", valueName: "path"))
  var socket: String?

  func validate() throws {
    guard port == nil || socket == nil else { throw ValidationError("choose one of --port and --socket") }
  }

  func run() throws {
    let given = ProcessInfo.processInfo.environment[StudioToken.variable] ?? ""
    guard let token = given.isEmpty ? StudioToken() : StudioToken(given) else {
      throw ValidationError("\(StudioToken.variable) holds 32 hexadecimal digits")
    }
    let studio = try StudioStore(path: store, isWritable: write)
    let server = try StudioServer(
      StudioHandler(studio, token: token), at: socket.map { .socket($0) } ?? .port(port ?? 0))
    let socket = socket
    let failure = Lock<(any Error)?>(nil)
    let end = DispatchSemaphore(value: 0)
    Task.detached {
      do {
        try await server.run { port in
          Terminal.write(
            socket.map { "socket \($0), token \(token)\n" } ?? "http://127.0.0.1:\(port)/#token=\(token)\n")
        }
      } catch { failure.withLock { $0 = error } }
      end.signal()
    }
    // Until Control-C, or until it cannot listen.
    end.wait()
    if let error = failure.withLock({ $0 }) { throw error }
  }
}
