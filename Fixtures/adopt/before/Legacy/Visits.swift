import Foundation

// This file relies on the import of another one.

class Place: Object {
  @objc dynamic var id = 0
  @objc dynamic var name = ""
  let visits = List<Visit>()
  let rating = RealmOptional<Int>()

  override static func primaryKey() -> String? {
    return "id"
  }

  override init() {
    super.init()
  }

  init(id: Int, name: String) {
    self.id = id
    self.name = name
    super.init()
  }

  var visitCount: Int { return visits._rlmArray.count }
}

class Visit: Object {
  @objc dynamic var date = Date(timeIntervalSince1970: 0)
  @objc dynamic var note: String?

  convenience init(date: Date, note: String?) {
    self.init()
    self.date = date
    self.note = note
  }
}
