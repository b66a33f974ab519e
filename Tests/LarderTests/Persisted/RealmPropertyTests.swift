import Foundation
import Testing

@testable import Larder

@Suite("Holders of the old style") struct RealmPropertyTests {
  @Test("A holder is empty at first, compares by value and codes as its value") func holder() throws {
    let age = RealmProperty<Int?>()
    #expect(age.value == nil && age.description == "nil")
    age.value = 5
    #expect(age.description == "Optional(5)")
    let coded = try JSONDecoder().decode(
      [RealmProperty<Int?>].self, from: JSONEncoder().encode([age, RealmProperty()]))
    #expect(coded[0].value == 5)
    #expect(coded[0] == age && coded[0] != coded[1] && coded[0].hash == age.hash)
    #expect(coded[1].value == nil)
    #expect(Int.className().isEmpty)
  }
}
