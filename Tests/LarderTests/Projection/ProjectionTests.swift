import Foundation
import TestSupport
import Testing

@testable import Larder

/// A person with few properties.
final class PersonCard: Projection<Person> {
  @Projected(\Person.name) var title
  @Projected(\Person.address?.city) var city
  @Projected(\Person.best?.name) var friend
  @Projected(\Person.dogs) var dogs
}

@Suite("Projections") struct ProjectionTests {
  private func realm() throws -> Realm {
    let realm = try makeRealm()
    try realm.write {
      for (id, name) in ["Ada", "Grace", "Edsger"].enumerated() {
        realm.create(
          Person.self,
          value: ["id": id, "name": name, "age": 30 + id, "address": ["city": "\(name)ville"]] as [String: Any])
      }
    }
    return realm
  }

  @Test("Contract 21: a projection shows and writes the properties of its object")
  func properties() throws {
    let realm = try realm()
    let person = try #require(realm.objects(Person.self).first)
    let card = PersonCard(projecting: person)
    #expect(card.title == "Ada" && card.city == "Adaville" && card.friend == nil && card.dogs.isEmpty)
    try realm.write {
      card.title = "Augusta"
      card.dogs.append(Dog(name: "Rex"))
    }
    #expect(person.name == "Augusta" && person.dogs.count == 1)
    #expect(card == PersonCard(projecting: person) && card.hashValue == PersonCard(projecting: person).hashValue)
    #expect(card.realm == realm && !card.isInvalidated && !card.isFrozen)
    #expect(card.description.hasPrefix("PersonCard<Person> <0x"))
    let unmanaged = PersonCard(projecting: Person(id: 3, name: "Barbara"))
    #expect(unmanaged.title == "Barbara" && unmanaged.city == nil)
  }

  @Test("Contract 21: results of projections are live, filter and sort by the object's properties")
  func results() throws {
    let realm = try realm()
    let cards = realm.objects(PersonCard.self)
    #expect(cards.count == 3 && cards.map(\.title) == ["Ada", "Grace", "Edsger"])
    let sorted = cards.filter("age > 30").sorted(byKeyPath: "name")
    #expect(
      sorted.map(\.title) == ["Edsger", "Grace"] && sorted.first?.city == "Edsgerville" && sorted[1].title == "Grace")
    #expect(cards.index(of: sorted[0]) == 2)
    let kept = Array(cards)
    #expect(Set(kept).count == 3)
    try realm.write { realm.create(Person.self, value: ["id": 9, "name": "Barbara"]) }
    #expect(cards.count == 4 && cards.last?.title == "Barbara" && kept.map(\.title) == ["Ada", "Grace", "Edsger"])
    var titles: [String] = []
    for card in cards { titles.append(card.title) }
    #expect(titles == ["Ada", "Grace", "Edsger", "Barbara"])
  }

  final class Unstored: Projection<Person> {
    @Projected(\Person.name) var name
    @Projected(\Person.isInvalidated) var gone
  }

  @Test("F-146: a projection of a property that is not stored ends the process, naming both") func unstored() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try makeRealm()
      try realm.write { realm.add(Person(id: 1)) }
      _ = realm.objects(Unstored.self).first
    }
    #expect(misuseText(result).contains("Unstored.gone projects no stored property"))
  }

  @Test("Contract 21: projections freeze, thaw and cross threads")
  func freezing() throws {
    let realm = try realm()
    let card = try #require(realm.objects(PersonCard.self).first)
    let frozen = card.freeze()
    let reference = ThreadSafeReference(to: card)
    try realm.write { card.title = "Augusta" }
    #expect(frozen.isFrozen && frozen.title == "Ada" && frozen.thaw()?.title == "Augusta")
    #expect(realm.objects(PersonCard.self).freeze().first?.isFrozen == true)
    #expect(realm.resolve(reference)?.title == "Augusta")
    try realm.write { realm.delete(card.rootObject) }
    #expect(card.isInvalidated && frozen.thaw() == nil && card.description == "[invalid object]")
  }

  @Test("Contract 21: observers hear of projected properties, under the projection's names") @MainActor
  func observing() async throws {
    let realm = try await Realm(configuration: temporaryConfiguration())
    let person = try realm.write {
      realm.create(Person.self, value: ["id": 1, "name": "Ada", "address": ["city": "Ulm"]] as [String: Any])
    }
    let card = PersonCard(projecting: person)
    var heard: [String] = []
    let token = card.observe { change in
      switch change {
      case .change(let card, let properties):
        heard.append(contentsOf: properties.map { "\($0.name)=\($0.newValue ?? "nil") \(card.title)" })
      case .deleted: heard.append("deleted")
      case .error: break
      }
    }
    let narrow = card.observe(keyPaths: [\PersonCard.city]) { change in
      if case .change(_, let properties) = change { heard.append("narrow \(properties.map(\.name))") }
    }
    realm.refresh()
    try realm.write { person.age = 5 }
    realm.refresh()
    #expect(heard.isEmpty)
    try realm.write { person.name = "Augusta" }
    realm.refresh()
    #expect(heard == ["title=Augusta Augusta"])
    heard = []
    try realm.write { person.address?.city = "Bonn" }
    realm.refresh()
    #expect(Set(heard) == ["city=Bonn Augusta", "narrow [\"city\"]"])
    heard = []
    try realm.write { realm.delete(person) }
    realm.refresh()
    #expect(heard.contains("deleted"))
    withExtendedLifetime((token, narrow)) {}
  }
}
