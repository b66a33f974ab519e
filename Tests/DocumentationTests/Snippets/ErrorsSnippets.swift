import Foundation
import Larder
import TestSupport
import Testing

@Suite("Errors, by their examples") struct ErrorsSnippets {
  class Person: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted var age: Int
  }

  private let realm: Realm

  init() throws {
    realm = try Realm(
      configuration: Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [Person.self]))
  }

  @Test func throwing() throws {
    let records: [[String: Any]] = [["id": 1, "name": "Ada", "age": 36], ["id": 2, "name": "Alan", "age": "?"]]
    // begin: throwing
    var refused: [String] = []
    try realm.write {
      for record in records {
        do {
          try realm.throwing.create(Person.self, value: record)
        } catch let error as Realm.Error {
          refused.append(error.message)
        }
      }
    }
    // end: throwing
    #expect(realm.objects(Person.self).count == 1 && refused.count == 1)
    #expect(refused.first?.contains("age") == true, "\(refused)")
  }

  @Test("F-85: what was caught is an NSError when the program says so; a catch of NSError does not match on Linux")
  func asNSError() throws {
    let file = URL(fileURLWithPath: "/nowhere/at/all/people.larder")
    let configuration = Realm.Configuration(fileURL: file, objectTypes: [Person.self])
    // begin: ns-error
    do {
      _ = try Realm(configuration: configuration)
    } catch {
      let error = error as NSError
      print(error.domain, error.code, error.localizedDescription)
    }
    // end: ns-error
    let thrown = #expect(throws: (any Error).self) { _ = try Realm(configuration: configuration) }
    let error = try #require(thrown) as NSError
    #expect(error.domain == "io.realm" && error.code == Realm.Error.Code.fileNotFound.rawValue)
    #expect(error.localizedDescription.contains("people.larder"))
  }

  @Test func opening() throws {
    let file = URL(fileURLWithPath: "/nowhere/at/all/people.larder")
    var configuration = Realm.Configuration(fileURL: file, objectTypes: [Person.self])
    configuration.readOnly = true
    // begin: opening
    do {
      _ = try Realm(configuration: configuration)
    } catch Realm.Error.fileNotFound {
      print("no such folder")
    } catch Realm.Error.filePermissionDenied {
      print("not allowed")
    } catch let error as Realm.Error {
      print(error.code, error.path ?? "", error.message)
    }
    // end: opening
    #expect(errorCode { _ = try Realm(configuration: configuration) } == .fileNotFound)
  }

  @Test func helpers() throws {
    // begin: helpers
    let person = try Person(validating: ["id": 1, "name": "Ada"] as [String: Any])
    try realm.write { try realm.throwing.add(person) }
    let age = try person.throwing[\.age]
    try realm.write { realm.delete(person) }
    let isThere = person.ifValid != nil
    // end: helpers
    #expect(age == 0 && !isThere)
  }
}
