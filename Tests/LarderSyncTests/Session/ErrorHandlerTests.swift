import Foundation
import LarderLocks
import LarderSyncProtocol
import Testing

@testable import LarderSync

@Suite("Session: errors")
struct ErrorHandlerTests {
  private func name(_ key: Int64) -> ObjectName { ObjectName(className: "SyncedPerson", key: .int(key)) }

  @Test("Y-28: The handler gets one error with each object and the values that were written")
  @MainActor func rejected() async throws {
    let fixture = try await SyncedFixture()
    let realm = try opened(fixture.configuration())
    let engine = try fixture.engine(of: realm)
    let errors = Shared<[SyncError]>([])
    fixture.app.syncManager.errorHandler = { error, session in
      if let error = error as? SyncError, session != nil { errors.value.withLock { $0.append(error) } }
    }
    engine.tell(
      .rejected([
        RejectedObject(
          object: name(1), reason: .insert, message: "may not insert",
          values: [
            SyncProperty("name", .string("Ada")),
            SyncProperty("pet", .link(ObjectName(className: "SyncedPet", key: .int(9)))),
          ]),
        RejectedObject(object: name(2), reason: .property, message: "may not write age", values: []),
      ]))
    try await eventually { errors.value.withLock { $0.count } == 1 }
    let error = try #require(errors.value.withLock { $0.first })
    #expect(error.code == .writeRejected)
    let infos = try #require(error.compensatingWriteInfo)
    #expect(infos.map(\.objectType) == ["SyncedPerson", "SyncedPerson"])
    #expect(infos.map(\.primaryKey) == [.int(1), .int(2)])
    #expect(infos.map(\.reason) == ["may not insert", "may not write age"])
    // The store may forget them then.
    try await eventually { engine.calls.refusalsReported == 1 }
    #expect(infos[0].rejected == ["name": .string("Ada"), "pet": .int(9)])
  }

  @Test("Y-37: The handler runs one at a time and in order, and may open the store and write")
  @MainActor func order() async throws {
    let fixture = try await SyncedFixture()
    let configuration = fixture.configuration { $0.outsideWrites = .sendAnyway }
    let realm = try opened(configuration)
    let engine = try fixture.engine(of: realm)
    let messages = Shared<[String]>([])
    fixture.app.syncManager.errorHandler = { error, _ in
      let number = messages.value.withLock { messages in
        messages.append("\(error)")
        return messages.count
      }
      do {
        let realm = try opened(configuration)
        try realm.write { _ = realm.create(SyncedPerson.self, value: ["id": number] as [String: Any]) }
      } catch {
        messages.value.withLock { $0.append("failed: \(error)") }
      }
    }
    for number in 0..<5 { engine.tell(.failure(.store("error \(number)"))) }
    try await eventually { messages.value.withLock { $0.count } == 5 }
    #expect(messages.value.withLock { $0 } == (0..<5).map { "error \($0)" })
    try await eventually { @MainActor in
      realm.refresh()
      return realm.objects(SyncedPerson.self).count == 5
    }
  }

  @Test("Y-37: Lost connections and refused queries are not reported, a TLS failure once per cause")
  func reporting() {
    var reporting = ErrorReporting()
    func server(_ code: SyncFailureCode) -> EngineFailure {
      .server(SyncFailure(code, action: .reconnect, message: "x"))
    }
    let silent: [EngineFailure] = [.transport(.unreachable("x")), server(.query), server(.busy), server(.stopping)]
    #expect(silent.filter { reporting.reports($0) }.isEmpty)
    let tls = ["expired", "expired", "unknown authority"].map { EngineFailure.transport(.tls($0)) }
    #expect(tls.map { reporting.reports($0) } == [true, false, true])
    reporting.connected()
    #expect(tls.suffix(1).map { reporting.reports($0) } == [true])
    let told: [EngineFailure] = [.signInRequired, server(.tenant), server(.schema), .storeCopied, .state("x")]
    #expect(told.filter { reporting.reports($0) } == told)
  }

  @Test("Y-37: Without a handler no error ends the process")
  @MainActor func noHandler() async throws {
    let fixture = try await SyncedFixture()
    let realm = try opened(fixture.configuration())
    let engine = try fixture.engine(of: realm)
    let codes: [SyncFailureCode] = [
      .version, .malformed, .token, .tokenExpired, .tenant, .busy, .quota, .fenced, .query, .schema, .schemaTooOld,
      .reset, SyncFailureCode(rawValue: 9_999),
    ]
    for code in codes { engine.tell(.failure(.server(SyncFailure(code, action: .carryOn, message: "x")))) }
    engine.tell(.failure(.signInRequired))
    #expect(realm.objects(SyncedPerson.self).isEmpty)
  }

  @Test("Y-43: The error of a client reset names the recovery copy and has a token")
  func clientReset() throws {
    let error = SyncError(
      .server(SyncFailure(.reset, action: .reset, message: "log too short", retryAfter: 2_000)), path: "/data/a.realm")
    #expect(error.code == .clientResetError)
    let (path, _) = try #require(error.clientResetInfo())
    #expect(path == "/data/recovered-realms/a.realm")
    #expect(error.deleteRealmUserInfo() != nil)
    let quota = SyncError(
      .server(SyncFailure(.quota, action: .stop, message: "full", retryAfter: 2_000)), path: "/data/a.realm")
    #expect(quota.code == .quotaExceeded)
    #expect(quota.retryAfter == .seconds(2))
    #expect(quota.clientResetInfo() == nil)
  }
}
