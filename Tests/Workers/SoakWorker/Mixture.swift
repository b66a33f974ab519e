import Foundation
import Larder

/// The work of programs beside plain writes: writes that are cancelled, undone in part or end with an error, references, and lists.
struct Mixture {
  private struct Undone: Error {}

  private let realm: Realm
  private var round = 0

  init(_ realm: Realm) { self.realm = realm }

  /// One of them, in turn. Returns how many commits it made.
  mutating func next() throws -> Int {
    round += 1
    let id = Main.items + round
    switch round % 6 {
    case 0:
      realm.beginWrite()
      make(id)
      realm.cancelWrite()
      return 0
    case 1:
      do {
        try realm.write {
          make(id)
          throw Undone()
        }
      } catch is Undone {}
      return 0
    case 2:
      try realm.write {
        do {
          try realm.write {
            make(id)
            throw Undone()
          }
        } catch is Undone {}
        realm.object(ofType: Item.self, forPrimaryKey: round % Main.items)?.score = 2
      }
    case 3:
      guard let item = realm.objects(Item.self).first else { return 0 }
      let reference = ThreadSafeReference(to: item)
      guard let found = realm.resolve(reference) else { return 0 }
      // Another writer may have deleted it before this one's turn.
      try realm.write { if !found.isInvalidated { found.score = 3 } }
    case 4:
      try realm.write {
        realm.object(ofType: Item.self, forPrimaryKey: round % Main.items)?.words.append("word \(round)")
      }
    default:
      try realm.write { realm.object(ofType: Item.self, forPrimaryKey: (round - 1) % Main.items)?.words.removeAll() }
    }
    return 1
  }

  private func make(_ id: Int) { realm.create(Item.self, value: ["id": id, "name": "undone"] as [String: Any]) }
}
