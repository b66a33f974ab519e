import LarderExchange
import LarderLocks
import LarderQuery
import LarderStorage

/// Errors as answers: the tool's JSON, and a status.
enum ErrorAnswer {
  /// Seconds after which a question is stopped.
  static let patience = 10.0
  /// The answer to such a question.
  static let late = RequestFault(
    "The question takes more than \(Int(patience)) seconds and was stopped; ask for less.", status: 503, kind: "timeout"
  )

  static func response(_ error: any Error) -> StudioResponse {
    if let fault = error is Interruption.Stopped ? late : error as? RequestFault {
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
