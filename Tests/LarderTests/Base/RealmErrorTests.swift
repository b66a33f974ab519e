import Foundation
import LarderStorage
import Testing

@testable import Larder

@Suite("Realm.Error") struct RealmErrorTests {
  @Test("E-130: code, message, class, property, path and cause can be reached") func parts() throws {
    let cause = StorageError(.outOfDiskSpace, "No space.", path: "/a/b", className: "Person", property: "age")
    let error = Realm.Error(cause)
    #expect(error.code == .outOfDiskSpace && error.message == "No space." && "\(error)" == "No space.")
    #expect(error.className == "Person" && error.propertyName == "age" && error.path == "/a/b")
    #expect(error.fileURL == URL(fileURLWithPath: "/a/b"))
    #expect((error.underlying as? StorageError) == cause && error.localizedDescription == "No space.")
    let plain = Realm.Error.make(.fail, "It failed.")
    #expect(plain.className == nil && plain.path == nil && plain.fileURL == nil && plain.underlying == nil)
  }

  @Test("Errors are caught by code, and compare by domain and code") func catching() {
    do {
      throw Realm.Error.make(.fileNotFound, "Nothing there.", path: "/x")
    } catch Realm.Error.fileNotFound {
    } catch {
      Issue.record("not caught by its code")
    }
    let one: any Error = Realm.Error.make(.fail, "one")
    let two: any Error = Realm.Error.make(.fail, "two")
    #expect(one == two)
    #expect(!(one == (Realm.Error.make(.fileAccess, "one") as any Error)))
    #expect(!(one == (CocoaError(.fileNoSuchFile) as any Error)))
    #expect((one as NSError).domain == "io.realm" && Realm.Error.callFailed.code == .fail)
  }

  @Test("E-131: values are cut at 100 characters") func cutting() throws {
    let realm = try makeRealm()
    let person = try realm.write { realm.create(Person.self, value: ["id": 1]) }
    let error = #expect(throws: Realm.Error.self) {
      try realm.write { try person.throwing.setValue(String(repeating: "x", count: 5_000), forKey: "age") }
    }
    #expect(error?.code == .invalidInput && error?.className == "Person" && error?.propertyName == "age")
    let message = try #require(error).message
    #expect(message.contains(String(repeating: "x", count: 100) + "…") && message.count < 300)
  }

  @Test("E-30 and E-61: what does not fit a property names value, types, class and property") func mismatches() throws {
    let realm = try makeRealm()
    for (value, key) in [
      ("x", "int"), (1.5, "int"), (300, "int8"), (1, "kind"), (true, "float"), ("zz", "uuid"), ("12", "objectId"),
      ("", "date"),
      ([1], "string"), (Int64.max, "int32"), (2, "bool"), ("a", "double"),
    ] as [(Any, String)] {
      let error = #expect(throws: Realm.Error.self, "\(value) \(key)") {
        try realm.write { _ = try realm.throwing.create(Everything.self, value: [key: value]) }
      }
      #expect(error?.className == "Everything" && error?.propertyName == key, "\(error as Any)")
      #expect(error?.message.contains("'\(value)' (type \(type(of: value))) does not fit Everything.\(key)") == true)
    }
    #expect(realm.objects(Everything.self).isEmpty)
    let nothing = #expect(throws: Realm.Error.self) {
      try realm.write { _ = try realm.throwing.create(Everything.self, value: ["int": NSNull()]) }
    }
    #expect(nothing?.message.hasPrefix("Everything.int is required") == true)
  }
}
