/// The reasons for which a request is refused before it is one.
enum Refusal {
  case line
  case headers
  case body
  case malformed

  /// The answer to it.
  var fault: RequestFault {
    switch self {
    case .line:
      RequestFault(
        "The URL has more than \(HeadLimit.most) bytes: ask by POST, with the parameters as the body.", status: 414,
        kind: "tooLong")
    case .headers:
      RequestFault(
        "The request has more than \(HeadLimit.most) bytes before its body.", status: 431, kind: "tooLong")
    case .body:
      RequestFault("The body has more than \(StudioRequest.longestBody) bytes.", status: 413, kind: "tooLong")
    case .malformed: RequestFault("The request is not one of HTTP/1.1.")
    }
  }
}
