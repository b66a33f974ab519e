import Foundation
import TestSupport
import Testing

@testable import Larder

/// Several properties over one link, and ones of types that are stored as something else.
private final class DogCard: Projection<Dog> {
  @Projected(\Dog.owner?.name) var ownerName
  @Projected(\Dog.owner?.age) var ownerAge
  @Projected(\Dog.kind) var kind
  @Projected(\Dog.owner) var owner
  @Projected(\Dog.tags) var tags
}

@Suite("Changes of projections", .timeLimit(.minutes(30))) struct ProjectionChangesTests {
  private static func text(_ change: ObjectChange<DogCard>) -> String {
    switch change {
    case .change(_, let properties):
      properties.map { property in
        let (old, new) = (property.oldValue.map { "\($0)" } ?? "nil", property.newValue.map { "\($0)" } ?? "nil")
        return property.name == "owner" ? "owner" : "\(property.name) \(old)>\(new)"
      }.joined(separator: ", ")
    case .deleted: "deleted"
    case .error: "error"
    }
  }

  @MainActor
  private static func make(_ configuration: Realm.Configuration) async throws -> (Realm, DogCard) {
    let realm = try await Realm(configuration: configuration)
    let dog = try realm.write {
      realm.create(Dog.self, value: ["name": "Rex", "owner": ["id": 1, "name": "Ada", "age": 30]] as [String: Any])
    }
    return (realm, DogCard(projecting: dog))
  }

  @MainActor
  @Test("F-9: an observer of one projected property hears of that one only, also when others go over the same link")
  func narrow() async throws {
    let (realm, card) = try await Self.make(temporaryConfiguration())
    var heard: [String] = []
    let token = card.observe(keyPaths: [\DogCard.ownerName]) { heard.append(Self.text($0)) }
    let byName = card.observe(keyPaths: ["owner.age"]) { heard.append("by name " + Self.text($0)) }
    try realm.write { card.rootObject.owner?.name = "Augusta" }
    realm.refresh()
    #expect(heard == ["ownerName nil>Augusta"])
    heard = []
    try realm.write { card.rootObject.owner?.age = 31 }
    realm.refresh()
    #expect(heard == ["by name ownerAge nil>31"])
    heard = []
    // Another owner is another name and another age.
    try realm.write { card.rootObject.owner = Person(id: 2, name: "Grace", age: 40) }
    realm.refresh()
    #expect(Set(heard) == ["ownerName nil>Grace", "by name ownerAge nil>40"])
    withExtendedLifetime((token, byName)) {}
  }

  @MainActor
  @Test("F-9: an observer of everything hears of just what changed") func everything() async throws {
    let (realm, card) = try await Self.make(temporaryConfiguration())
    var heard: [String] = []
    let token = card.observe { heard.append(Self.text($0)) }
    try realm.write { card.rootObject.owner?.age = 31 }
    realm.refresh()
    #expect(heard == ["ownerAge nil>31"])
    heard = []
    try realm.write { card.rootObject.kind = .special }
    realm.refresh()
    #expect(heard == ["kind nil>special"])
    heard = []
    try realm.write { card.rootObject.tags.append("good") }
    realm.refresh()
    #expect(heard.count == 1)
    #expect(heard.first?.hasPrefix("tags nil>List<string> <0x") == true)
    withExtendedLifetime(token) {}
  }

  @MainActor
  @Test("F-9, N-42: values before and after are those that the projection shows, not those that are stored")
  func values() async throws {
    let configuration = temporaryConfiguration()
    let (realm, card) = try await Self.make(configuration)
    let recorder = Recorder()
    let token = card.observe { change in
      if case .change(_, let properties) = change {
        for property in properties where property.name == "kind" {
          recorder.add("\(property.oldValue as? Kind == .plain) \(property.newValue as? Kind == .special)")
        }
        if properties.contains(where: { $0.name == "owner" }) {
          let owner = properties.first { $0.name == "owner" }
          recorder.add("\((owner?.oldValue as? Person)?.name ?? "nil") \((owner?.newValue as? Person)?.name ?? "nil")")
        } else {
          recorder.add(Self.text(change))
        }
      }
    }
    realm.refresh()
    try onThread {
      let other = try Realm(configuration: configuration)
      try other.write {
        other.objects(Dog.self).first?.kind = .special
        other.objects(Person.self).first?.name = "Augusta"
      }
    }
    realm.refresh()
    #expect(recorder.all == ["true true", "ownerName Ada>Augusta, kind plain>special"])
    try onThread {
      let other = try Realm(configuration: configuration)
      try other.write { other.objects(Dog.self).first?.owner = Person(id: 2, name: "Grace") }
    }
    realm.refresh()
    #expect(recorder.all.last == "Augusta Grace")
    withExtendedLifetime(token) {}
  }
}
