#if Sync
  import Foundation

  /// A device in a process of its own, which does one command after another.
  final class DeviceProcess {
    let name: String
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var unread: [UInt8] = []

    init(_ name: String, _ setup: StorySetup) throws {
      self.name = name
      process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
      process.arguments = [
        "device", "--name", name, "--server", setup.server, "--token", "\(setup.tokens)/\(name).jwt", "--store",
        "\(setup.folder)/\(name).larder",
      ]
      process.standardInput = input
      process.standardOutput = output
      try process.run()
    }

    /// Sends a command, prints what the device answers, and waits for the end of the answer.
    func callAsFunction(_ command: String) throws {
      begin(command)
      try finish()
    }

    /// Sends a command without waiting for the answer.
    func begin(_ command: String) {
      input.fileHandleForWriting.write(Data((command + "\n").utf8))
    }

    /// Prints the answer to a command that was begun, until it ends.
    func finish() throws {
      while let line = nextLine() {
        if line == "." { return }
        if line.hasPrefix("error: ") { throw DemoError("\(name): \(line.dropFirst(7))") }
        Console.line(line, of: name)
      }
      throw DemoError("the device \(name) ended")
    }

    /// Ends the device, which closes its store.
    func end() {
      input.fileHandleForWriting.closeFile()
      process.waitUntilExit()
    }

    private func nextLine() -> String? {
      while true {
        if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
          defer { unread.removeSubrange(...end) }
          return String(decoding: unread[..<end], as: UTF8.self)
        }
        let data = output.fileHandleForReading.availableData
        if data.isEmpty { return nil }
        unread += data
      }
    }
  }
#endif
