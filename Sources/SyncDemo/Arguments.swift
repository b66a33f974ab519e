#if Sync
  /// The command and its options on the command line.
  enum Arguments {
    case help
    /// The story with all devices.
    case story(StorySetup)
    /// One device, which does what it reads from standard input.
    case device(DeviceSetup)

    static let usage = """
      USAGE: sync-demo --server URL --tokens FOLDER [--folder FOLDER] [--fixtures FOLDER]

      Loads cities into a server by synchronisation, and shows two devices that work offline and agree, and a third that may only read.
      FOLDER has the tokens office.jwt, anna.jwt, ben.jwt and carl.jwt.
      """

    /// - Throws: `DemoError` for what is no option, and for one without its value.
    init(_ arguments: some Sequence<String>) throws {
      var rest = Array(arguments)[...]
      if rest.contains(where: { $0 == "--help" || $0 == "-h" }) {
        self = .help
        return
      }
      let isDevice = rest.first == "device"
      if isDevice { rest.removeFirst() }
      var values: [String: String] = [:]
      while let flag = rest.popFirst() {
        guard let value = rest.popFirst() else { throw DemoError("'\(flag)' needs a value\n\(Self.usage)") }
        values[flag] = value
      }
      func value(_ flag: String) throws -> String {
        guard let value = values.removeValue(forKey: flag) else { throw DemoError("\(flag) is missing\n\(Self.usage)") }
        return value
      }
      if isDevice {
        self = .device(
          DeviceSetup(
            name: try value("--name"), server: try value("--server"), token: try value("--token"),
            store: try value("--store")))
      } else {
        self = .story(
          StorySetup(
            server: try value("--server"), tokens: try value("--tokens"),
            folder: values.removeValue(forKey: "--folder") ?? ".build/sync-demo",
            fixtures: values.removeValue(forKey: "--fixtures") ?? "Fixtures/geonames"))
      }
      if let flag = values.keys.min() { throw DemoError("there is no option '\(flag)'\n\(Self.usage)") }
    }
  }

  /// The server, the files and the folders that the devices of the story use.
  struct StorySetup: Sendable {
    var server: String
    var tokens: String
    var folder: String
    var fixtures: String
  }

  /// The options of a device.
  struct DeviceSetup: Sendable {
    var name: String
    var server: String
    /// The file with the token.
    var token: String
    var store: String
  }

  /// The reason why the demo cannot go on.
  struct DemoError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
  }
#endif
