import LarderExchange
import LarderQuery
import LarderStorage

/// Errors as answers: the tool's JSON, and a status.
enum ErrorAnswer {
  static func response(_ error: any Error) -> StudioResponse {
    if let fault = error as? RequestFault {
      let inner: JSONValue = ["kind": .init(fault.kind), "message": .init(fault.description)]
      return .json((["error": inner] as JSONValue).line, status: fault.status)
    }
    return .json(ErrorText.json(error) + "\n", status: status(error))
  }

  static func status(_ error: any Error) -> Int {
    guard let error = error as? StorageError else { return 400 }
    switch error.code {
    case .notFound, .unknownClass, .noSuchObject: return 404
    case .permissionDenied: return 403
    case .alreadyOpen, .readersExhausted, .wrongKey: return 423
    default: return 400
    }
  }
}
