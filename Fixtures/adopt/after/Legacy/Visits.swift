import Foundation
import Larder

// This file relies on the import of another one.

class Place: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var visits: List<Visit>
  @Persisted var rating: Int?

  required init() {
    super.init()
  }

  init(id: Int, name: String) {
    super.init()
    self.id = id
    self.name = name
  }

  var visitCount: Int { return visits.count }
}

class Visit: Object {
  @Persisted var date = Date(timeIntervalSince1970: 0)
  @Persisted var note: String?

  convenience init(date: Date, note: String?) {
    self.init()
    self.date = date
    self.note = note
  }
}
