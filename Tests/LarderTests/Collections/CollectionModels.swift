import Dispatch
import Foundation
import Larder

/// Objects whose links are followed back.
class Owner: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var age: Int
  @Persisted var favourite: Pet?
  @Persisted var pets: List<Pet>

  convenience init(id: Int, name: String = "", age: Int = 0) {
    self.init()
    self.id = id
    self.name = name
    self.age = age
  }
}

class Pet: Object {
  @Persisted var name: String
  @Persisted(originProperty: "pets") var owners: LinkingObjects<Owner>
  @Persisted var weight: Double
  @Persisted(originProperty: "favourite") var fans: LinkingObjects<Owner>

  convenience init(name: String) {
    self.init()
    self.name = name
  }
}

/// Runs the body on a serial queue with a Realm of it; `refresh()` there delivers what is due.
func onQueue(_ types: [ObjectBase.Type], _ body: (Realm) throws -> Void) throws {
  let queue = DispatchQueue(label: "test")
  let configuration = temporaryConfiguration(types)
  try queue.sync { try body(try Realm(configuration: configuration, queue: queue)) }
}

func makePetRealm() throws -> Realm { try makeRealm([Owner.self, Pet.self]) }
