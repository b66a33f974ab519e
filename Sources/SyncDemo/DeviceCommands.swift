#if Sync
  import Foundation
  import LarderSync

  /// The commands that a device can run.
  @MainActor
  struct DeviceCommands {
    private let realm: Realm
    private let session: SyncSession
    private let refusals: AsyncStream<[CompensatingWriteInfo]>

    init(_ realm: Realm, _ refusals: AsyncStream<[CompensatingWriteInfo]>) throws {
      self.realm = realm
      guard let session = realm.syncSession else { throw DemoError("the store is not synchronised") }
      self.session = session
      self.refusals = refusals
    }

    func run(_ line: String) async throws {
      let words = line.split(separator: " ", maxSplits: 2).map(String.init)
      switch (words.first ?? "", words.count) {
      case ("subscribe", 2): try await subscribe(words[1])
      case ("load", 2): try load(words[1])
      case ("offline", 1):
        session.suspend()
        Console.line("is offline")
      case ("online", 1):
        session.resume()
        Console.line("is online")
      case ("wait", 1): try await wait()
      case ("undone", 1): await undone()
      case ("show", 2): show(try city(words[1]))
      case ("population", 3): try population(try city(words[1]), words[2])
      case ("timezone", 3): try timezone(try city(words[1]), words[2])
      case ("visit", 3): try visit(try city(words[1]), words[2])
      case ("name", 3): try name(try city(words[1]), words[2])
      default: throw DemoError("no command is '\(line)'")
      }
    }

    // MARK: - What it has

    private func subscribe(_ countries: String) async throws {
      let reports = Task { [session] in
        var shown = -1
        for await progress in session.progress(for: .download) {
          let (done, expected) = progress.objects
          guard let expected, expected > 0, done > shown, done * 4 / expected > shown * 4 / expected else { continue }
          shown = done
          Console.line("\(done) of about \(expected) objects have arrived")
        }
      }
      defer { reports.cancel() }
      let cities = realm.objects(City.self)
      let begin = ContinuousClock.now
      let wanted =
        countries == "all" ? cities : cities.where { $0.country.in(countries.split(separator: ",").map(String.init)) }
      let subscribed = try await wanted.subscribe(name: "cities", waitForSync: .always)
      Console.line(
        "subscribed to \(subscribed.count) cities in \(begin.duration(to: .now).formatted(.units(allowed: [.seconds, .milliseconds])))"
      )
    }

    private func load(_ file: String) throws {
      let decoder = JSONDecoder()
      let lines = try unpacked(file).split(separator: UInt8(ascii: "\n"))
      var rest = lines[...]
      while !rest.isEmpty {
        let cities = try rest.prefix(1000).map { City(try decoder.decode(CityRecord.self, from: Data($0))) }
        rest = rest.dropFirst(1000)
        try realm.write { realm.add(cities) }
      }
      Console.line("wrote \(lines.count) cities")
    }

    private func unpacked(_ file: String) throws -> Data {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = ["gzip", "-dc", file]
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      let data = try output.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      guard process.terminationStatus == 0 else { throw DemoError("gzip could not unpack \(file)") }
      return data
    }

    private func show(_ city: City) {
      let names = city.alternateNames
      Console.line("\(city.name): \(city.population) people, time zone \(city.timezone), \(city.visits) visits")
      Console.line("\(names.count) names, from '\(names.first ?? "")' to '\(names.last ?? "")'")
    }

    // MARK: - What it changes

    private func city(_ key: String) throws -> City {
      guard let city = Int(key).flatMap({ realm.object(ofType: City.self, forPrimaryKey: $0) }) else {
        throw DemoError("there is no city \(key) on this device")
      }
      return city
    }

    private func population(_ city: City, _ number: String) throws {
      guard let number = Int(number) else { throw DemoError("'\(number)' is no number") }
      try realm.write { city.population = number }
      Console.line("sets the population of \(city.name) to \(number)")
    }

    private func timezone(_ city: City, _ zone: String) throws {
      try realm.write { city.timezone = zone }
      Console.line("sets the time zone of \(city.name) to \(zone)")
    }

    private func visit(_ city: City, _ times: String) throws {
      guard let times = Int(times) else { throw DemoError("'\(times)' is no number") }
      try realm.write { city.increment(\.visits, by: times) }
      Console.line("was in \(city.name) \(times) times")
    }

    private func name(_ city: City, _ placeAndName: String) throws {
      let parts = placeAndName.split(separator: " ", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { throw DemoError("say first or last, and a name") }
      try realm.write { city.alternateNames.insert(parts[1], at: parts[0] == "first" ? 0 : city.alternateNames.count) }
      Console.line("adds '\(parts[1])' as the \(parts[0]) name of \(city.name)")
    }

    // MARK: - What it waits for

    private func wait() async throws {
      try await session.wait(for: .upload)
      try await session.wait(for: .download)
      realm.refresh()
      Console.line("has sent and received everything")
    }

    private func undone() async {
      for await writes in refusals {
        realm.refresh()
        for write in writes {
          Console.line("is refused \(write.objectType) \(write.primaryKey): \(write.reason)")
        }
        return
      }
    }
  }
#endif
