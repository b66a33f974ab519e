#if Sync
  import Foundation
  import LarderSync

  /// One device: a synchronised store, and commands from standard input. Each answer ends with a line of one dot.
  @MainActor
  struct Device {
    private let setup: DeviceSetup

    nonisolated init(_ setup: DeviceSetup) { self.setup = setup }

    func run() async throws {
      let refusals = AsyncStream<[CompensatingWriteInfo]>.makeStream()
      let realm = try await open(refusals.continuation)
      let commands = try DeviceCommands(realm, refusals.stream)
      for await line in Self.lines() {
        do {
          try await commands.run(line)
          Console.line(".")
        } catch {
          Console.line("error: \(error)")
        }
      }
    }

    private func open(_ refusals: AsyncStream<[CompensatingWriteInfo]>.Continuation) async throws -> Realm {
      let token = try String(contentsOfFile: setup.token, encoding: .utf8)
      let app = App(id: "sync-demo-\(setup.name)", configuration: AppConfiguration(baseURL: setup.server))
      app.syncManager.errorHandler = { error, _ in
        if let writes = (error as? SyncError)?.compensatingWriteInfo {
          refusals.yield(writes)
        } else {
          Console.line("error: \(error)")
        }
      }
      let user = try await app.login(
        credentials: .jwt(token: token.trimmingCharacters(in: .whitespacesAndNewlines)))
      var configuration = user.flexibleSyncConfiguration()
      configuration.fileURL = URL(fileURLWithPath: setup.store)
      configuration.objectTypes = [City.self]
      return try await Realm(configuration: configuration, actor: MainActor.shared)
    }

    /// The lines of standard input, read by a thread of their own: the main actor is for the store.
    private static func lines() -> AsyncStream<String> {
      AsyncStream { continuation in
        Thread.detachNewThread {
          while let line = readLine() { continuation.yield(line) }
          continuation.finish()
        }
      }
    }
  }
#endif
