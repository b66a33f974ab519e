import LarderExchange

/// The response to the page: a whole answer, or a stream of events.
package enum StudioResponse: Sendable {
  case whole(Answer)
  case events(EventStream)

  /// An answer that is there at once.
  package struct Answer: Sendable {
    package var status = 200
    package var type = "application/json"
    package var body: [UInt8]

    package var text: String { String(decoding: body, as: UTF8.self) }
  }

  /// An answer in JSON.
  package static func json(_ text: String, status: Int = 200) -> StudioResponse {
    .whole(Answer(status: status, body: Array(text.utf8)))
  }
}
