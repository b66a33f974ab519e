#if Sync
  import LarderSync
  import LarderSyncProtocol
  import TestSupport
  import Testing

  /// Messages that no device sends, to a real server.
  @MainActor
  @Suite("Bad messages", .timeLimit(.minutes(30)))
  struct BadMessageTests {
    private func failure(
      _ server: ServerProcess, _ token: String, _ bytes: [UInt8], welcomed: Bool
    ) async throws -> SyncFailure? {
      try await RawDevice.conversation {
        let device = try await RawDevice(server)
        if welcomed, try await device.welcome(token) == nil { return nil }
        try await device.send(bytes)
        return try await device.failure()
      }
    }

    /// A frame of a kind with a body.
    private func frame(_ kind: UInt64, _ body: [UInt8], flags: UInt8 = 0) -> [UInt8] {
      var head = ByteWriter(capacity: 16)
      head.varint(kind)
      head.byte(flags)
      var frame = ByteWriter(capacity: 16)
      frame.count(head.bytes.count + body.count)
      frame.raw(head.bytes)
      frame.raw(body)
      return frame.bytes
    }

    /// Returns the action of a device: what is too large would be as large again.
    private static func action(_ code: SyncFailureCode) -> SyncFailureAction {
      code == .frameTooLarge ? .stop : .reconnect
    }

    @Test("Frames that are cut off, too large, nested too deeply or of no kind end the session with their code")
    func frames() async throws {
      let server = try ServerProcess()
      let token = try server.token("anna", "role=editor")
      let hello = SyncFrame(RawDevice.hello(token)).encoded()
      for (bytes, code) in [
        (Array(hello.dropLast()), SyncFailureCode.malformed), (hello + [0], .malformed), ([0xFF], .malformed),
        (SyncFrame(.ping(1)).encoded(), .unexpected),
        (SyncFrame(RawDevice.hello(String(repeating: "a", count: 270_000))).encoded(), .frameTooLarge),
      ] {
        let failure = try await failure(server, token, bytes, welcomed: false)
        #expect(failure?.code == code && failure?.action == Self.action(code), "\(bytes.count) bytes")
      }
      let ping = SyncFrame(.ping(1)).encoded()
      for (bytes, code) in [
        (Array(ping.dropLast()), SyncFailureCode.malformed), (ping + ping.dropLast(), .malformed),
        (frame(40, []), .malformed), (frame(16, [1, 2]), .malformed), (frame(16, [1], flags: 4), .malformed),
        // Compressed, which no side has offered to expand; and an extension with an odd number.
        (frame(16, [1, 1], flags: 1), .malformed), (frame(16, [1, 3, 0, 1], flags: 2), .malformed),
        // A length above the limit, of which no byte comes.
        ([0x80, 0x80, 0x80, 0x80, 0x10], .frameTooLarge),
      ] {
        let failure = try await failure(server, token, bytes, welcomed: true)
        #expect(failure?.code == code && failure?.action == Self.action(code), "\(bytes)")
      }
      try await lives(server, token)
    }

    @Test("A value that is nested too deeply, a second greeting and another's commit end the session")
    func messages() async throws {
      let server = try ServerProcess()
      let token = try server.token("anna", "role=editor")
      let second = try await failure(server, token, SyncFrame(RawDevice.hello(token)).encoded(), welcomed: true)
      #expect(second?.code == .unexpected && second?.action == .reconnect)
      let own = try await failure(
        server, token, SyncFrame(.acknowledge(Acknowledgement(siteVersion: 1))).encoded(), welcomed: true)
      #expect(own?.code == .unexpected)

      let deep = try await RawDevice.conversation { () -> SyncFailure? in
        let device = try await RawDevice(server)
        guard let site = try await device.welcome(token)?.site else { return nil }
        try await device.send(.upload(Upload(commits: [nested(2_000, site)])), site: site)
        return try await device.failure()
      }
      #expect(deep?.code == .frameTooLarge && deep?.action == .stop)

      let foreign = try await RawDevice.conversation { () -> SyncFailure? in
        let device = try await RawDevice(server)
        guard let site = try await device.welcome(token)?.site else { return nil }
        let another = SiteID(high: ~site.high, low: site.low)
        try await device.send(.upload(Upload(commits: [nested(3, another)])), site: site)
        return try await device.failure()
      }
      #expect(foreign?.code == .commit && foreign?.action == .stop)
      try await lives(server, token)
    }

    @Test("A newer device speaks the server's version, and one that cannot is told so")
    func versions() async throws {
      let server = try ServerProcess()
      let token = try server.token("anna", "role=editor")
      for newest in [ProtocolVersion(major: 1, minor: 7), ProtocolVersion(major: 3, minor: 0)] {
        let answers = try await RawDevice.conversation { () -> (ProtocolVersion, SyncMessage)? in
          let device = try await RawDevice(server)
          try await device.send(RawDevice.hello(token, newest: newest))
          guard case .welcome(let welcome) = try await device.receive() else { return nil }
          // Kinds and even extensions of a newer minor version are left unread.
          try await device.send(frame(77, [1, 2, 3]))
          try await device.send(SyncFrame(.ping(5), extensions: [SyncExtension(number: 4, bytes: [9])]).encoded())
          return try await device.receive().map { (welcome.version, $0) }
        }
        #expect(answers?.0 == .current && answers?.1 == .pong(5), "\(newest)")
      }
      let later = ProtocolVersion(major: 2, minor: 0)
      let failure = try await RawDevice.conversation {
        let device = try await RawDevice(server)
        try await device.send(RawDevice.hello(token, oldest: later, newest: later))
        return try await device.failure()
      }
      #expect(failure?.code == .version && failure?.action == .stop)
      try await lives(server, token)
    }

    /// A commit with a list in a list in a list and so on, whose names are of a site.
    private func nested(_ depth: Int, _ site: SiteID) -> SyncCommit {
      let object = ObjectName(className: "City", key: .int(1))
      var value = SyncValue.int(1)
      for index in 0..<UInt32(depth) {
        let name = OperationID(site: site, siteVersion: 1, operation: 0, index: index + 1)
        value = .map(SyncMap(incarnation: name, entries: [SyncMapEntry("a", value)]))
      }
      return SyncCommit(
        siteVersion: 1, time: SyncTime(milliseconds: 1), nonce: 1,
        operations: [SyncOperation(object, .set(SyncPath("name"), value))])
    }

    /// The server still serves.
    private func lives(_ server: ServerProcess, _ token: String) async throws {
      #expect(server.isRunning)
      let answer = try await RawDevice.conversation {
        let device = try await RawDevice(server)
        guard try await device.welcome(token) != nil else { return SyncMessage?.none }
        try await device.send(.ping(7))
        return try await device.receive()
      }
      #expect(answer == .pong(7))
    }
  }
#endif
