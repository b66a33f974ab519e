import Foundation
import LarderLMDB

extension Store {
  /// Lets `body` make a store under a temporary name beside a path, and gives it the path when it is complete and on the disk. Whatever
  /// ends the process before, nothing has that name; what a killed process left is removed by the next one that makes a file in the folder.
  ///
  /// The store must be closed when `body` returns.
  /// - Throws: `.fileExists` for a file of that name, also one that came meanwhile; what `body` throws, with the path for the
  ///   temporary name.
  package static func make<Result>(at path: String, _ body: (_ temporary: String) throws -> Result) throws -> Result {
    let file = try storageErrors(path) { try UnfinishedFile(for: path) }
    let temporary = file.path
    let result: Result
    do { result = try body(temporary) } catch var error as StorageError {
      error.message = error.message.replacing(temporary, with: path)
      if error.path == temporary { error.path = path }
      throw error
    }
    do { try file.publish(as: path) } catch let error as LMDBError where error.code == .fileExists {
      throw StorageError(
        .fileExists, "'\(path)' was made by another program meanwhile; nothing was written to it.", path: path)
    } catch let error as LMDBError { throw StorageError(error, path: path) }
    return result
  }

  /// Lets `body` make a store under a temporary name beside a path, which is removed in the end.
  package static func makeAndDrop<Result>(
    beside path: String, _ body: (_ temporary: String) throws -> Result
  ) throws -> Result {
    let file = try storageErrors(path) { try UnfinishedFile(for: path) }
    let temporary = file.path
    let result = try body(temporary)
    _ = consume file
    return result
  }

  /// Makes a store as `make` does, of another file and only where there is nothing yet: of several processes that would make the same store one does,
  /// and the others wait for it. Nil, with nothing done, when the store is there.
  ///
  /// - Throws: The errors of `make`; `.notFound`, `.permissionDenied` for the other file.
  package static func makeOnce<Result>(
    at path: String, from source: String, _ body: (_ temporary: String) throws -> Result
  ) throws -> Result? {
    func isThere() -> Bool { FileManager.default.fileExists(atPath: path) }
    if isThere() { return nil }
    let turn = try storageErrors(source) { try FileTurn(of: source) }
    // Another may have made it in its turn.
    guard !isThere() else { return nil }
    let result: Result?
    do { result = try make(at: path, body) } catch let error as StorageError where error.code == .fileExists {
      // Where the file system has no locks.
      result = nil
    }
    _ = consume turn
    return result
  }
}
