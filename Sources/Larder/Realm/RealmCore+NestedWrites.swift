import LarderStorage

extension RealmCore {
  /// Runs a block as a part of the open transaction that is undone by itself when the block throws.
  func nestedWrite<Result>(_ block: () throws -> Result) throws -> Result {
    let open = openWriter()
    let number = writeNumber
    nest(1)
    defer { if writeNumber == number { nest(-1) } }
    var outcome: Swift.Result<Result, any Error>?
    do {
      return try open.savepoint {
        let result = Swift.Result { try block() }
        outcome = result
        return try result.get()
      }
    } catch {
      // What was read meanwhile is not so any more.
      noteChange()
      switch outcome {
      case .failure(let thrown): throw thrown
      // The block has ended the whole transaction.
      case .success(let result) where writeNumber != number: return result
      case .success, nil: throw Realm.Error(error, path: store.path)
      }
    }
  }

  /// Throws inside of a nested write, which ends with its block only.
  func verifyNotNested() throws {
    if session.openSavepoints > 0 {
      throw Realm.Error.make(
        .fail, "A nested write is open: it ends with its block, and the whole transaction can be committed after that.",
        path: store.path)
    }
  }
}
