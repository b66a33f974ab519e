import LarderStorage
import LarderSyncProtocol

extension EngineFailure {
  /// Makes the failure for an error of the store, or of what it keeps.
  init(_ error: any Error) {
    switch error {
    case let failure as EngineFailure: self = failure
    case let error as StorageError where error.code == .corrupted: self = .state(error.message)
    case let error as StorageError: self = .store(error.message)
    case ReplicaError.type(let className, let property, let value):
      self = .schema(
        "The server's value of '\(className).\(property)' is of another type than the program's: \(value). Update the program, or give the property another name."
      )
    default: self = .state("\(error)")
    }
  }
}
