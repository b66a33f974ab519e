#if Sync
  import LarderSync
  import SyncModel
  import TestSupport
  import Testing

  /// Real devices whose connections break, lose bytes and stand still.
  @MainActor
  @Suite("Devices behind faulty connections", .timeLimit(.minutes(30)))
  struct FaultyConnectionTests {
    /// The changes that the two devices made, for what has to be there afterwards.
    private struct Expected {
      var visits = [Int](repeating: 0, count: FaultyConnectionTests.cities)
      var names = [[String]](repeating: [], count: FaultyConnectionTests.cities)
      var next = 0
    }

    private nonisolated static let cities = 4

    @Test("Y-29, Y-36: Whatever connections lose, each change of two devices is everywhere exactly once")
    func histories() async throws {
      var random = SeededRandom.forTest()
      let server = try ServerProcess()
      var devices: [TestDevice] = []
      var proxies: [FaultyProxy] = []
      var office = try await TestDevice("office", server, token: try server.token("office", "role=editor"))
      try await office.subscribe()
      try office.realm.write { for id in 0..<Self.cities { office.realm.add(City(id, "city \(id)", "JP")) } }
      try await office.settle()
      for name in ["anna", "ben"] {
        let proxy = try await FaultyProxy(to: server.portNumber, SeededRandom(seed: random.next()))
        let options = DeviceOptions(url: proxy.url, silence: 1_000)
        let token = try server.token(name, "role=editor")
        let device = try await TestDevice(name, server, token: token, options)
        // The first contents come over faulty connections too.
        device.retriesOften()
        try await device.subscribe()
        (devices, proxies) = (devices + [device], proxies + [proxy])
      }

      var expected = Expected()
      var step = 0
      // Long enough for faults: a slow machine makes fewer connections in as many steps, which ends with the time limit.
      while step < 120 || proxies.contains(where: { $0.connections <= 3 }) {
        let device = random.pick(devices)
        try change(device, &expected, &random)
        if random.oneIn(15) { random.pick(devices).session.suspend() }
        if step % 5 == 0 { devices.forEach { $0.session.resume() } }
        try await Task.sleep(for: .milliseconds(random.int(0...30)))
        device.realm.refresh()
        step += 1
      }
      for (device, proxy) in zip(devices, proxies) {
        proxy.heal()
        device.session.resume()
      }
      for _ in 0..<2 { for device in devices { try await device.settle() } }

      #expect(devices[0].content == devices[1].content)
      for id in 0..<Self.cities {
        let city = try #require(devices[0].city(id))
        #expect(city.visits == expected.visits[id])
        #expect(Array(city.alternateNames).sorted() == expected.names[id].sorted())
      }
      // What the server has: a device that knows nothing gets it as it is.
      office = try await TestDevice("other", server, token: try server.token("other", "role=editor"))
      try await office.subscribe()
      #expect(office.content == devices[0].content)
      #expect(server.isRunning)
    }

    /// Makes a transaction of one to three changes.
    private func change(_ device: TestDevice, _ expected: inout Expected, _ random: inout SeededRandom) throws {
      try device.realm.write {
        for _ in 0..<random.int(1...3) {
          let id = random.int(0..<Self.cities)
          let city = try #require(device.city(id))
          expected.next += 1
          switch random.int(0..<6) {
          case 0..<2:
            let count = random.int(1...9)
            city.increment(\.visits, by: count)
            expected.visits[id] += count
          case 2..<4:
            let name = "\(expected.next)"
            city.alternateNames.insert(name, at: random.int(0...city.alternateNames.count))
            expected.names[id].append(name)
          case 4 where !city.alternateNames.isEmpty && random.oneIn(2):
            // The element that is moved is the same on both devices.
            city.alternateNames.move(from: random.int(0..<city.alternateNames.count), to: 0)
          case 4: city.name = "name \(expected.next)"
          case 5 where random.oneIn(2):
            if let extra = device.realm.objects(City.self).first(where: { $0._id >= 100 }) {
              device.realm.delete(extra)
            }
          default: device.realm.add(City(100 + expected.next, random.string(maxLength: 300), "JP"))
          }
        }
      }
    }
  }
#endif
