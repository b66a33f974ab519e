import Foundation
import LarderLocks
import Testing

@testable import Larder

/// Tests that the throwing `create(value:)` makes just what it looked at.
@Suite("Throwing creation") struct ThrowingCreationTests {
  class Owner: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var part: Piece?
    @Persisted var parts: List<Piece>
    @Persisted var named: Map<String, Piece?>
    @Persisted var next: Owner?
  }
  class Piece: EmbeddedObject {
    @Persisted var size: Int
    @Persisted var inner: Inner?
    @Persisted var owner: Owner?
  }
  class Inner: EmbeddedObject { @Persisted var size: Int }
  private static let made = Lock<[Int]>([])
  private static func nextKey() -> Int {
    made.withLock { made in
      made.append(made.count + 1)
      return made.count
    }
  }
  class Ticket: Object {
    @Persisted(primaryKey: true) var key = ThrowingCreationTests.nextKey()
    @Persisted var code = UUID()
    @Persisted var name: String
    @Persisted var next: Ticket?
    @Persisted var others: List<Ticket>
    @Persisted var map: Map<String, Ticket?>
    override class var uniqueKeys: [[AnyKeyPath]] { [[\Ticket.name, \Ticket.code]] }
  }
  class Unit: Object {
    @Persisted(primaryKey: true) var id = UUID()
    @Persisted var units: List<Unit>
  }

  @Test(
    "F-4: one embedded object that is named several times in the input is copied each time", arguments: [false, true])
  func twice(_ isDynamic: Bool) throws {
    for policy in [Realm.UpdatePolicy.error, .modified, .all] {
      let realm = try makeRealm([Owner.self, Piece.self, Inner.self])
      let piece = Piece(value: ["size": 3, "inner": ["size": 4]] as [String: Any])
      let source = Owner()
      source.part = piece
      source.parts.append(objectsIn: [piece, piece])
      let values: [Any] = [
        ["id": 1, "part": piece, "parts": [piece, piece], "named": ["a": piece], "next": ["id": 2, "part": piece]]
          as [String: Any],
        source, ["id": 3, "next": source] as [String: Any],
      ]
      try realm.write {
        for value in values {
          if isDynamic {
            try realm.throwing.dynamicCreate("Owner", value: value, update: policy)
          } else {
            try realm.throwing.create(Owner.self, value: value, update: policy)
          }
          if policy == .error, let made = realm.object(ofType: Owner.self, forPrimaryKey: 0) { realm.delete(made) }
        }
      }
      #expect(piece.realm == nil && source.part === piece && source.parts[1] === piece)
      let first = try #require(realm.object(ofType: Owner.self, forPrimaryKey: 1))
      #expect(first.parts.map(\.size) == [3, 3] && first.part?.inner?.size == 4 && first.named["a"]??.size == 3)
      #expect(first.next?.part?.inner?.size == 4 && !first.parts[0].isSameObject(as: first.parts[1]))
    }
  }

  @Test("F-4: input that leads back to itself is copied once")
  func cycles() throws {
    let realm = try makeRealm([Owner.self, Piece.self, Inner.self])
    let (owner, next) = (Owner(value: ["id": 1]), Owner(value: ["id": 2]))
    owner.next = next
    next.next = owner
    let piece = Piece()
    piece.owner = owner
    owner.part = piece
    next.part = piece
    try realm.write {
      let made = try realm.throwing.create(Owner.self, value: owner)
      #expect(made.next?.next?.isSameObject(as: made) == true && made.part?.owner?.isSameObject(as: made) == true)
    }
    #expect(realm.objects(Owner.self).count == 2 && owner.realm == nil)
  }

  @Test("F-4: managed embedded objects, and objects of other Realms, within unmanaged ones in the input are copied")
  func managed() throws {
    let (realm, other, third) = (
      try makeRealm([Owner.self, Piece.self, Inner.self]), try makeRealm([Owner.self, Piece.self, Inner.self]),
      try makeRealm([Owner.self, Piece.self, Inner.self])
    )
    func foreign(_ realm: Realm, _ id: Int) throws -> Owner {
      try realm.write { realm.create(Owner.self, value: ["id": id, "part": ["size": id], "next": ["id": id + 1]]) }
    }
    let (theirs, others) = (try foreign(other, 10), try foreign(third, 20))
    let mine = try realm.write { realm.create(Owner.self, value: ["id": 5, "part": ["size": 5]] as [String: Any]) }
    let (a, b) = (Owner(value: ["id": 1]), Owner(value: ["id": 2]))
    a.part = mine.part
    a.next = theirs
    b.part = theirs.part
    b.next = others
    let link = Owner(value: ["id": 3])
    link.next = theirs
    try realm.write {
      for (id, value) in [a, b].enumerated() {
        try realm.throwing.create(Owner.self, value: ["id": 100 + id, "next": value] as [String: Any])
      }
      try realm.throwing.create(Owner.self, value: link, update: .all)
    }
    let keys = realm.objects(Owner.self).map(\.id).sorted()
    #expect(keys == [1, 2, 3, 5, 10, 11, 20, 21, 100, 101])
    let copies = realm.objects(Owner.self).where { $0.id.in([1, 2, 10, 20]) }.sorted(by: \.id)
    #expect(copies.map { $0.part?.size } == [5, 10, 10, 20] && mine.part?.size == 5)
    #expect(copies.map { $0.next?.id } == [10, 20, 11, 21])
  }

  @Test("O-21: the default primary key that was looked at is the one that is used, evaluated once for each object")
  func defaults() throws {
    let realm = try makeRealm([Ticket.self, Unit.self])
    _ = Ticket()
    for policy in [Realm.UpdatePolicy.error, .modified, .all] {
      let before = Self.made.withLock { $0.count }
      let value: [String: Any] = [
        "name": "a", "next": ["name": "b"], "others": [["name": "c"], ["name": "d", "next": [:]]], "map": ["x": [:]],
      ]
      try realm.write {
        let made = try realm.throwing.create(Ticket.self, value: value, update: policy)
        let all: [Ticket?] = [
          made, made.next, made.others[0], made.others[1], made.others[1].next, made.map["x"] ?? nil,
        ]
        let keys = all.compactMap { $0?.key }
        #expect(Set(keys).count == 6 && keys.allSatisfy { $0 > before })
        #expect(Set(all.compactMap { $0?.code }).count == 6)
        #expect(all.compactMap { $0?.name } == ["a", "b", "c", "d", "", ""])
      }
      // One object more is made to try values on.
      #expect(Self.made.withLock { $0.count } == before + 7)
    }
    let units = try realm.write { try realm.throwing.create(Unit.self, value: ["units": [[:], [:]] as [Any]]) }
    #expect(Set(units.units.map(\.id) + [units.id]).count == 3)
  }
}
