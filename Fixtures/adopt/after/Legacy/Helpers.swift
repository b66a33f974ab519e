// Helpers that programs of the first years had: F-180, F-181.

import Foundation
import Larder

extension Object {
  /// Names of properties that have a value.
  var filledNames: [String] {
    return objectSchema.properties.map { $0.name }.filter { self[$0] != nil }
  }
}

extension EmbeddedObject {}

extension Realm {
  /// Saves an object, over the one that has its key.
  func save(_ object: Object, update: Bool = true) {
    try! write { add(object, update: update ? .all : .error) }
  }

  func save(_ objects: [Object], isNew: Bool) {
    try! write {
      for object in objects { add(object, update: !isNew ? .all : .error) }
    }
  }
}

/// A class of the program that has a name like Realm's own.
final class RLMVisitFormatter {
  private let formatter = DateFormatter()

  init() {
    formatter.dateFormat = "yyyy"
    formatter.timeZone = TimeZone(identifier: "UTC")
  }

  func year(of visit: Visit) -> String {
    return formatter.string(from: visit.date)
  }
}
