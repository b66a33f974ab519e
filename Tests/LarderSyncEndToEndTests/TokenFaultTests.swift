import Foundation
import LarderLocks
import LarderSync
import SyncModel
import TestSupport
import Testing

/// Tokens that a real server does not accept.
@MainActor
@Suite("Devices without a valid token", .timeLimit(.minutes(30)))
struct TokenFaultTests {
  /// A maker of tokens that the server refuses, with the error that the program gets.
  struct Bad: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let code: SyncError.Code
    let token: @Sendable (ServerProcess) throws -> String
  }

  nonisolated static let bad = [
    Bad(testDescription: "with another signature", code: .clientUserError) {
      try $0.foreignToken("anna", "role=editor")
    },
    Bad(testDescription: "unsigned", code: .clientUserError) { _ in unsigned("anna") },
    Bad(testDescription: "of another tenant", code: .permissionDeniedError) {
      try $0.token("anna", "role=editor", tenant: "other")
    },
  ]

  /// A token that says that it needs no signature.
  private nonisolated static func unsigned(_ subject: String) -> String {
    func part(_ text: String) -> String {
      Data(text.utf8).base64EncodedString().replacingOccurrences(of: "+", with: "-")
        .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }
    let claims = #"{"sub":"\#(subject)","tenant":"geo","role":"editor","exp":4102444800}"#
    return part(#"{"alg":"none","typ":"JWT"}"#) + "." + part(claims) + "."
  }

  @Test("Y-56: With a token that is refused local work goes on, and a good one sends all of it", arguments: bad)
  func refused(_ bad: Bad) async throws {
    let server = try ServerProcess()
    let ben = try await TestDevice("ben", server, token: try server.token("ben", "role=editor"))
    try await ben.subscribe()
    let anna = try await TestDevice("anna", server, token: try bad.token(server), DeviceOptions(tenant: "geo"))
    try await anna.subscribe(waitForSync: .never)
    try anna.realm.write { anna.realm.add(City(1, "before", "JP")) }
    try await anna.error(bad.code)
    await #expect(throws: SyncError.self) { try await anna.session.wait(for: .upload) }
    #expect(anna.session.state == .inactive)
    try anna.realm.write {
      anna.city(1)?.name = "after"
      anna.city(1)?.increment(\.visits, by: 3)
    }
    try await ben.settle()
    #expect(ben.content == [])
    #expect(anna.errors.codes == [bad.code])

    try anna.user.update(token: try server.token("anna", "role=editor"))
    try await eventually("a connection") { anna.session.connectionState == .connected ? true : nil }
    try await anna.settle()
    try await ben.settle()
    #expect(ben.content == ["1 after JP 0  3 []"])
    #expect(anna.content == ben.content)
  }

  @Test("Y-54: A store is sent to no other tenant, whatever token the program gets")
  func otherTenant() async throws {
    let server = try ServerProcess()
    let ben = try await TestDevice("ben", server, token: try server.token("ben", "role=editor"))
    let other = try await TestDevice("other", server, token: try server.token("other", tenant: "other"))
    let anna = try await TestDevice("anna", server, token: try server.token("anna", "role=editor"))
    try await anna.subscribe()
    try anna.realm.write { anna.realm.add(City(1, "first", "JP")) }
    try await anna.settle()
    for isConnected in [true, false] {
      if !isConnected { anna.session.suspend() }
      try anna.user.update(token: try server.token("anna", "role=editor", tenant: "other"))
      if !isConnected { anna.session.resume() }
      let count = isConnected ? 1 : 2
      try await eventually("error \(count)") { anna.errors.codes.count < count ? nil : true }
      #expect(Set(anna.errors.codes) == [.clientUserError])
      #expect(anna.session.state == .inactive)
      try anna.realm.write { anna.city(1)?.increment(\.visits, by: 1) }
      try anna.user.update(token: try server.token("anna", "role=editor"))
      try await eventually("a connection") { anna.session.connectionState == .connected ? true : nil }
      try await anna.settle()
    }
    try await ben.subscribe()
    #expect(ben.content == ["1 first JP 0  2 []"])
    #expect(anna.content == ben.content)
    try await other.session.wait(for: .upload)
    #expect(other.content == [])
  }

  @Test("Y-56: A token that expires without another one is one error, and the device goes on with the next token")
  func expired() async throws {
    let server = try ServerProcess()
    let ben = try await TestDevice("ben", server, token: try server.token("ben", "role=editor"))
    try await ben.subscribe()
    let anna = try await TestDevice("anna", server, token: try server.token("anna", "role=editor", expires: "1s"))
    try await anna.subscribe(waitForSync: .never)
    try await anna.error(.clientUserError)
    #expect(anna.errors.codes == [.clientUserError])
    try anna.realm.write { anna.realm.add(City(1, "offline", "JP")) }
    try anna.user.update(token: try server.token("anna", "role=editor"))
    try await eventually("a connection") { anna.session.connectionState == .connected ? true : nil }
    try await anna.settle()
    try await ben.settle()
    #expect(ben.content == ["1 offline JP 0  0 []"])
    #expect(anna.content == ben.content)
  }

  @Test("Y-56: A device whose token has expired or is refused asks for another one, and goes on")
  func renewed() async throws {
    let server = try ServerProcess()
    let (short, good) = (
      try server.token("anna", "role=editor", expires: "1s"), try server.token("anna", "role=editor")
    )
    let foreign = try server.foreignToken("anna", "role=editor")
    let asked = Lock<[TokenRequest.Reason]>([])
    let options = DeviceOptions(tokens: { request in
      let count = asked.withLock { asked in
        asked.append(request.reason)
        return asked.count
      }
      return count == 1 ? foreign : count == 2 ? short : good
    })
    let anna = try await TestDevice("anna", server, token: short, options)
    try await anna.subscribe()
    // Each of them is used until the server does not accept it any more.
    var number = 0
    try await eventually("three requests for tokens") {
      number += 1
      if number % 20 == 1 { try anna.realm.write { anna.realm.add(City(number, "city", "JP")) } }
      anna.session.reconnect()
      return asked.withLock { $0.count } < 3 ? nil : true
    }
    try await anna.settle()
    let ben = try await TestDevice("ben", server, token: try server.token("ben", "role=editor"))
    try await ben.subscribe()
    #expect(ben.content == anna.content)
    #expect(!ben.content.isEmpty)
    #expect(asked.withLock { $0.count } >= 3)
  }
}
