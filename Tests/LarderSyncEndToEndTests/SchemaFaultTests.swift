import SyncModel
import TestSupport
import Testing

@testable import LarderSync

/// Programs whose classes are others than the server's.
@MainActor
@Suite("Devices with other schemas than the server's", .timeLimit(.minutes(30)))
struct SchemaFaultTests {
  private func device(
    _ name: String, _ server: ServerProcess, _ types: [ObjectBase.Type]
  ) async throws -> TestDevice {
    let options = DeviceOptions(types: types)
    return try await TestDevice(name, server, token: try server.token(name, "role=editor"), options)
  }

  private func subscribe<Model: Object>(_ device: TestDevice, _ type: Model.Type) async throws {
    _ = try await device.realm.objects(type).subscribe(name: type.className(), waitForSync: .always)
  }

  @Test("F-107, Y-47: What a program has more stays on the device until the server has it, and disturbs no others")
  func newer() async throws {
    let server = try ServerProcess(isDevelopment: false)
    let usual = try await device("usual", server, [City.self])
    let newer = try await device("newer", server, [NewerCity.self])
    let second = try await device("second", server, [NewerCity.self])
    try await usual.subscribe()
    try await subscribe(newer, NewerCity.self)
    try await subscribe(second, NewerCity.self)
    try newer.realm.write {
      newer.realm.create(
        NewerCity.self, value: ["_id": 1, "name": "Tokyo", "country": "JP", "mayor": "Koike", "districts": ["Ota"]])
    }
    try await newer.settle()
    try await usual.settle()
    try usual.realm.write {
      usual.city(1)?.name = "Edo"
      usual.city(1)?.population = 7
    }
    for device in [usual, newer, second] { try await device.settle() }
    #expect(usual.content == ["1 Edo JP 7  0 []"])
    let own = try #require(newer.realm.object(ofType: NewerCity.self, forPrimaryKey: 1))
    #expect(own.name == "Edo" && own.mayor == "Koike" && Array(own.districts) == ["Ota"])
    let other = try #require(second.realm.object(ofType: NewerCity.self, forPrimaryKey: 1))
    #expect(other.name == "Edo" && other.mayor == nil && other.districts.isEmpty)
    let error = try await newer.error(.schemaConflict)
    #expect(error.message.contains("'City.districts', 'City.mayor'"))

    try server.pushProperties(
      #""mayor": { "type": "string", "optional": true }, "districts": { "type": "string", "collection": "list" },"#)
    try await eventually("the server's properties") {
      try ServerSchema.newest(in: SyncAccess(newer.realm).store.snapshot())?.classes.first?.properties.contains {
        $0.name == "mayor"
      } == true ? true : nil
    }
    try await newer.settle()
    try await second.settle()
    #expect(other.mayor == "Koike" && Array(other.districts) == ["Ota"])
    try second.realm.write { other.districts.append("Minato") }
    for device in [second, newer, usual] { try await device.settle() }
    #expect(Array(own.districts) == ["Ota", "Minato"])
    #expect(usual.errors.all.isEmpty && newer.errors.codes == [.schemaConflict])
  }

  @Test("Y-47: What an older program does not have stays as it is in what the program changes")
  func older() async throws {
    let server = try ServerProcess(isDevelopment: false)
    let usual = try await device("usual", server, [City.self])
    let older = try await device("older", server, [OlderCity.self])
    try await usual.subscribe()
    try usual.realm.write {
      usual.realm.add(City(1, "Tokyo", "JP"))
      usual.city(1)?.alternateNames.append("Edo")
      usual.city(1)?.increment(\.visits, by: 3)
    }
    try await usual.settle()
    try await subscribe(older, OlderCity.self)
    try older.realm.write {
      older.realm.object(ofType: OlderCity.self, forPrimaryKey: 1)?.name = "Tokio"
      older.realm.create(OlderCity.self, value: ["_id": 2, "name": "Kyoto"])
    }
    try await older.settle()
    try await usual.settle()
    #expect(usual.content == ["1 Tokio JP 0  3 [\"Edo\"]", "2 Kyoto  0  0 []"])
    #expect([usual, older].allSatisfy { $0.errors.all.isEmpty })
  }

  @Test("Y-5, Y-27: A class that the server does not have cannot be subscribed to, and the rest goes on")
  func unknownClass() async throws {
    let server = try ServerProcess(isDevelopment: false)
    let anna = try await device("anna", server, [City.self, Street.self])
    try await anna.subscribe()
    let failure = await #expect(throws: Realm.Error.self) { try await subscribe(anna, Street.self) }
    #expect(failure?.code == .subscriptionFailed)
    try anna.realm.write { anna.realm.add(City(1, "Tokyo", "JP")) }
    try await anna.session.wait(for: .upload)
    let ben = try await device("ben", server, [City.self])
    try await ben.subscribe()
    #expect(ben.content == ["1 Tokyo JP 0  0 []"])
  }

  @Test("Y-49: In development a device's classes become the server's; otherwise an error names what it does not have")
  func pushed() async throws {
    let development = try ServerProcess()
    let anna = try await device("anna", development, [City.self, Street.self])
    let ben = try await device("ben", development, [City.self, Street.self])
    try await anna.subscribe()
    #expect(anna.errors.all.isEmpty)
    try await ben.subscribe()

    let server = try ServerProcess(isDevelopment: false)
    let carl = try await device("carl", server, [City.self, Street.self])
    try await carl.subscribe()
    #expect(try await carl.error(.schemaConflict).message.contains("'Street'"))
    try carl.realm.write { carl.realm.add(City(1, "Tokyo", "JP")) }
    try await carl.settle()
    #expect(carl.session.state == .active)
    #expect(carl.content == ["1 Tokyo JP 0  0 []"])
  }

  @Test("Y-25, Y-49: What is done to objects of a class that the server does not have waits until it has it")
  func waits() async throws {
    let server = try ServerProcess(isDevelopment: false)
    let anna = try await device("anna", server, [City.self, Street.self])
    let ben = try await device("ben", server, [City.self])
    for device in [anna, ben] { try await device.subscribe() }
    try anna.realm.write {
      anna.realm.create(Street.self, value: ["_id": 1, "name": "Ginza"])
      anna.realm.add(City(1, "Tokyo", "JP"))
    }
    try anna.realm.write { anna.realm.object(ofType: Street.self, forPrimaryKey: 1)?.name = "Chuo" }
    try await anna.settle()
    try await ben.settle()
    #expect(ben.content == ["1 Tokyo JP 0  0 []"])
    anna.session.suspend()
    anna.session.resume()
    try await anna.settle()
    #expect(anna.realm.objects(Street.self).map(\.name) == ["Chuo"])
    #expect(anna.errors.codes == [.schemaConflict])

    try server.pushSchema(
      #""Street": { "primaryKey": "_id", "properties": { "_id": "int", "name": "string" }, "queryable": ["name"] }"#)
    let all = #"[{ "name": "all", "read": true, "write": true, "insert": true, "delete": true }]"#
    try server.pushRoles(#"{ "City": \#(all), "Street": \#(all) }"#)
    let carl = try await device("carl", server, [City.self, Street.self])
    try await subscribe(carl, Street.self)
    // The running session hears of the class as well.
    try await eventually("the server's class") {
      try ServerSchema.newest(in: SyncAccess(anna.realm).store.snapshot())?.classes.contains { $0.name == "Street" }
        == true
        ? true : nil
    }
    // It may not have heard of the roles yet, which a new one begins with.
    anna.session.suspend()
    anna.session.resume()
    try await anna.settle()
    try await subscribe(anna, Street.self)
    try await anna.settle()
    try await carl.settle()
    #expect(carl.realm.objects(Street.self).map(\.name) == ["Chuo"])
    #expect(anna.realm.objects(Street.self).map(\.name) == ["Chuo"])
    #expect(anna.errors.codes == [.schemaConflict] && carl.errors.all.isEmpty)
  }

  @Test("Y-48: A schema with other types ends the session with its error, and local work goes on")
  func conflicting() async throws {
    let server = try ServerProcess()
    let anna = try await device("anna", server, [OtherCity.self])
    _ = try await anna.realm.objects(OtherCity.self).subscribe(name: "cities", waitForSync: .never)
    let error = try await anna.error(.schemaConflict)
    #expect(error.message.contains("City"))
    #expect(anna.session.state == .inactive)
    try anna.realm.write { anna.realm.create(OtherCity.self, value: ["_id": 1, "population": "many"]) }
    await #expect(throws: SyncError.self) { try await anna.session.wait(for: .upload) }
    #expect(anna.realm.objects(OtherCity.self).count == 1)
  }

  @Test("Y-28, Y-48: Values of other types than the server's are refused, and no other device gets them")
  func otherTypes() async throws {
    let server = try ServerProcess(isDevelopment: false)
    let ben = try await device("ben", server, [City.self])
    try await ben.subscribe()
    let anna = try await device("anna", server, [OtherCity.self])
    try await subscribe(anna, OtherCity.self)
    try anna.realm.write {
      anna.realm.create(OtherCity.self, value: ["_id": 1, "name": "Tokyo", "population": "many"])
    }
    let refused = try await anna.error(.writeRejected)
    #expect(refused.compensatingWriteInfo?.first?.rejected["population"] == .string("many"))
    try await anna.settle()
    #expect(anna.realm.objects(OtherCity.self).isEmpty)
    try await ben.settle()
    #expect(ben.content == [])

    // What the server has cannot be in this program's store: it is left out, the program gets an error, and goes on.
    try ben.realm.write {
      ben.realm.add(City(2, "Kyoto", "JP"))
      ben.city(2)?.population = 7
    }
    try await ben.settle()
    let error = try await eventually("the error of what is left out") {
      anna.errors.all.first { $0.code == .schemaConflict && $0.message.contains("'City.population'") }
    }
    #expect(error.message.contains("an integer"))
    try await anna.settle()
    #expect(anna.session.state == .active)
    let kyoto = try #require(anna.realm.object(ofType: OtherCity.self, forPrimaryKey: 2))
    #expect(kyoto.name == "Kyoto" && kyoto.population == "")
    try ben.realm.write { ben.city(2)?.name = "Heian" }
    try await ben.settle()
    try await anna.settle()
    #expect(kyoto.name == "Heian")
    #expect(ben.errors.all.isEmpty)
  }
}
