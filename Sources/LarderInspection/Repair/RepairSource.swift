import LarderExchange
import LarderStorage

/// A damaged store, opened for saving what is left of it.
///
/// Where its pages are damaged or its end is cut off, what the sound ones hold is first copied into a file beside the new store, which
/// takes as much room as the store has data and goes with this.
package final class RepairSource {
  /// Of the store or of the copy of its sound pages, whichever can be read.
  let version: RepairedVersion
  /// The repair of the pages; nil where all are sound.
  let repair: FileRepair?
  private let path: String

  /// - Parameters:
  ///   - path: The damaged store.
  ///   - target: The store that will be made. A file beside it may come and go.
  /// - Throws: `StorageError` when nothing can be read: no permission, no store, a wrong key, or no catalog left.
  package init(path: String, target: String) throws {
    self.path = path
    do {
      version = try StoreAccess.open(reading: path, walksPages: true).repairedVersion()
      repair = nil
    } catch let error as StorageError where [.corrupted, .truncated, .notADatabase].contains(error.code) {
      do {
        let made = try FileRepair(of: path, beside: target, key: try StoreAccess.keySource.key(), after: error)
        version = try Self.version(in: made, of: path)
        repair = made
      } catch let second as StorageError {
        // The schema, perhaps, of which no sound copy is left: what it still says is better than nothing.
        if let left = try? StoreAccess.open(reading: path, walksPages: true).repairedVersion(trustsSchema: false) {
          (version, repair) = (left, nil)
        } else {
          // What is no store was recognised rightly the first time.
          throw error.code == .notADatabase && second.code == .corrupted ? error : second
        }
      }
    }
  }

  private static func version(in made: FileRepair, of path: String) throws -> RepairedVersion {
    do {
      return try StoreAccess.open(reading: made.scratch).repairedVersion(trustsSchema: false)
    } catch var error as StorageError {
      error.message = error.message.replacing(made.scratch, with: path)
      error.path = path
      throw error
    }
  }

  /// A text about the copy as one about the store.
  func named(_ text: String) -> String { repair.map { text.replacing($0.scratch, with: path) } ?? text }
}
