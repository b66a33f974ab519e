/// What an import reads and how it treats faults.
package struct ImportOptions: Sendable {
  package var path: String
  /// Nil: by the file's name.
  package var format: InputFormat?
  /// How the file is written.
  package var reading = InputReading()
  /// Everything is tried, and nothing kept.
  package var isTrial = false
  /// Nil: the mapping's class.
  package var className: String?
  package var mapping = ImportMapping()
  /// Lines with faults are left out and reported instead of ending the import.
  package var keepsGoing = false
  /// Objects whose primary key is in the store are overwritten instead of being a fault.
  package var updates = false
  /// Fields that an existing class does not know become new properties.
  package var addsProperties = false

  /// How many records tell what the others are likely to hold. A file that has more is read once where they are right, else once more.
  package var sample = 4_096

  /// How many bytes a line may have, after unpacking.
  package var lineLimit = LineLimit.usual

  package init(path: String) {
    self.path = path
  }
}

/// What an import did.
package struct ImportReport: Sendable {
  package var className: String
  package var imported = 0
  package var updated = 0
  /// Lines left out, with their faults, in the order of the file.
  package var skipped: [InputFault] = []
  /// What was settled otherwise than the file suggests: properties with other names than their fields, types that were chosen.
  package var notices: [String] = []
  /// The properties of the class with their types, as a person reads them.
  package var properties: [String] = []
  /// Version that the import's commit made; 0 where nothing was kept.
  package var version: UInt64 = 0

  /// The report as one JSON object.
  package var json: String {
    let value: JSONValue = [
      "class": .init(className), "imported": .init(imported), "updated": .init(updated), "version": .init(version),
      "properties": properties.isEmpty ? nil : .init(properties),
      "skipped": .init(skipped.map { JSONValue(written: $0.json) }), "notices": .init(notices),
    ]
    return value.line
  }
}

/// How far an import is.
package struct ImportProgress: Sendable {
  /// Bytes taken from the file and its size; nil when the size is not known.
  package var consumed: Int
  package var total: Int?
  package var records: Int
  /// What is being done: "reading types", "importing", "resolving links", "writing".
  package var step: String

  package init(consumed: Int, total: Int?, records: Int, step: String) {
    self.consumed = consumed
    self.total = total
    self.records = records
    self.step = step
  }
}
