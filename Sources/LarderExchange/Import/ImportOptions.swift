/// The options of an import: its file, its mapping, and its treatment of faults.
package struct ImportOptions: Sendable {
  package var path: String
  /// Nil: by the file's name.
  package var format: InputFormat?
  /// The form of the file.
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

  /// The number of records that predict the others. A file with more records is read once where the prediction is right, else once more.
  package var sample = 4_096

  /// The most bytes that a line may have, after unpacking.
  package var lineLimit = LineLimit.usual

  package init(path: String) {
    self.path = path
  }
}

/// The result of an import.
package struct ImportReport: Sendable {
  package var className: String
  package var imported = 0
  package var updated = 0
  /// Lines left out, with their faults, in the order of the file.
  package var skipped: [InputFault] = []
  /// The decisions that the file does not suggest: properties with other names than their fields, types that were chosen.
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

/// The progress of an import.
package struct ImportProgress: Sendable {
  /// Bytes taken from the file and its size; nil when the size is not known.
  package var consumed: Int
  package var total: Int?
  package var records: Int
  /// The current step: "reading types", "importing", "resolving links", "writing".
  package var step: String

  package init(consumed: Int, total: Int?, records: Int, step: String) {
    self.consumed = consumed
    self.total = total
    self.records = records
    self.step = step
  }
}
