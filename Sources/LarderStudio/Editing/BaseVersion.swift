import Foundation
import LarderExchange
import LarderInspection
import LarderStorage

/// The version that a page saw, where it is still in the file.
struct BaseVersion {
  private let retained: RetainedVersion
  private let reader: Snapshot

  /// Nil where the pages of the version may have been used again, or cannot be read.
  init?(_ version: UInt64, of snapshot: Snapshot) {
    let scratch = "\(FileManager.default.temporaryDirectory.path)/larder-studio-\(UUID().uuidString)"
    guard let retained = try? RetainedVersion.copy(version, of: snapshot, beside: scratch),
      let reader = try? StoreAccess.open(reading: retained.path, comparingWith: nil).snapshot()
    else { return nil }
    (self.retained, self.reader) = (retained, reader)
  }

  /// A value as JSON; nil where it was not there.
  func value(_ object: ObjectLink, _ column: ColumnID) -> String? {
    guard let entry = reader.schema[object.classID], let column = entry.column(column),
      let value = try? ObjectTree(reader).value(entry, column, object.key, depth: 0)
    else { return nil }
    return StudioJSON.value(value, isCut: false)
  }
}
