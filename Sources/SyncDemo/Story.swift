#if Sync
  import Foundation

  /// Four devices with stores of their own, and one server.
  struct Story {
    /// Tokyo, and what Anna and Ben both look at.
    private static let city = 1_850_147
    private static let countries = "JP,IN"

    private let setup: StorySetup

    init(_ setup: StorySetup) { self.setup = setup }

    func run() async throws {
      try? FileManager.default.removeItem(atPath: setup.folder)
      try FileManager.default.createDirectory(atPath: setup.folder, withIntermediateDirectories: true)
      try load()
      let anna = try DeviceProcess("anna", setup)
      let ben = try DeviceProcess("ben", setup)
      try subscribe(anna, ben)
      try edit(anna, ben)
      try refuse(ben)
      anna.end()
      ben.end()
    }

    private func load() throws {
      Console.title("The office loads the cities of the world")
      let office = try DeviceProcess("office", setup)
      try office("subscribe all")
      try office("load \(setup.fixtures)/cities15000.jsonl.gz")
      try office("wait")
      office.end()
    }

    private func subscribe(_ anna: DeviceProcess, _ ben: DeviceProcess) throws {
      Console.title("Anna and Ben subscribe to the cities of Japan and India")
      try anna("subscribe \(Self.countries)")
      try ben("subscribe \(Self.countries)")
      try anna("show \(Self.city)")
    }

    private func edit(_ anna: DeviceProcess, _ ben: DeviceProcess) throws {
      Console.title("Both go offline and change the same city")
      for device in [anna, ben] { try device("offline") }
      try anna("population \(Self.city) 14094034")
      try anna("name \(Self.city) last Anna's Tokyo")
      try anna("visit \(Self.city) 2")
      try ben("timezone \(Self.city) Asia/Tokyo (Ben)")
      try ben("name \(Self.city) first Ben's Tokyo")
      try ben("visit \(Self.city) 3")
      for device in [anna, ben] { try device("show \(Self.city)") }

      Console.title("Both come back and agree")
      for device in [anna, ben] { device.begin("online") }
      for device in [anna, ben] { try device.finish() }
      for device in [anna, ben] { try device("wait") }
      for device in [anna, ben] { try device("wait") }
      for device in [anna, ben] { try device("show \(Self.city)") }
    }

    private func refuse(_ ben: DeviceProcess) throws {
      Console.title("Carl may only read: what he writes is undone")
      let carl = try DeviceProcess("carl", setup)
      try carl("subscribe \(Self.countries)")
      try carl("population \(Self.city) 1")
      try carl("undone")
      try carl("show \(Self.city)")
      try ben("wait")
      try ben("show \(Self.city)")
      carl.end()
    }
  }
#endif
