import LarderExchange
import LarderStorage

/// The handler of the page's requests: the page itself, answers about the store, its events and its changes.
///
/// Takes a snapshot for each request, and releases it with the answer.
package final class StudioHandler: Handler {
  private let studio: StudioStore
  private let guardian: RequestGuard
  private let events: StudioEvents
  private let editing: StudioEditing
  private let questions = RunningQuestions()

  package init(_ studio: StudioStore, token: StudioToken) {
    self.studio = studio
    guardian = RequestGuard(token: token)
    events = StudioEvents(studio)
    editing = StudioEditing(studio)
  }

  package func respond(to request: StudioRequest) -> StudioResponse {
    do {
      try guardian.checkPlace(request)
      return try answer(request)
    } catch {
      return ErrorAnswer.response(error)
    }
  }

  private func answer(_ request: StudioRequest) throws -> StudioResponse {
    guard request.path.first == "api" else {
      guard ["GET", "HEAD"].contains(request.method) else { throw Self.unknownMethod }
      guard let file = PageFiles.file(request.path) else { throw Self.unknown(request) }
      return .whole(file)
    }
    let name = request.path.dropFirst().first ?? ""
    try guardian.checkToken(request)
    guard !request.isTooLong else {
      throw RequestFault("The body has more than \(StudioRequest.longestBody) bytes.", status: 413, kind: "tooLong")
    }
    guard !request.isUndecodable else { throw StudioRequest.undecodable }
    switch request.method {
    case "GET": return try read(name, request)
    case "POST" where request.isLongQuestion: return try read(name, request.withParametersOfBody())
    case "POST": return try write(name, request)
    default: throw Self.unknownMethod
    }
  }

  private static let unknownMethod = RequestFault("There is only GET and POST.", status: 405)

  private func read(_ name: String, _ request: StudioRequest) throws -> StudioResponse {
    guard name != "events" else { return .events(try events.open(request)) }
    return try questions.run(request.headers["x-larder-question"]) { try question(name, request) }
  }

  private func question(_ name: String, _ request: StudioRequest) throws -> StudioResponse {
    let snapshot = try studio.store.snapshot()
    let store = StoreAnswers(studio, snapshot)
    let queries = QueryAnswers(snapshot, request)
    switch name {
    case "store": return .json(try store.store())
    case "classes": return .json(try store.classes())
    case "schema": return .json(try store.schema(request["format"]))
    case "space": return .json(try store.space())
    case "versions": return .json(try store.versions(limit: try request.number("limit", 0...10_000) ?? 200))
    case "readers": return .json(try store.readers())
    case "diff":
      guard let from = try request.version("from") else { throw RequestFault("The parameter 'from' is missing.") }
      return .json(try store.diff(from: from, to: try request.version("to")))
    case "rows": return .json(try queries.rows())
    case "count": return .json(try queries.count())
    case "groups": return .json(try queries.groups())
    case "explain": return .json(try queries.explain())
    case "advise": return .json(try queries.advise())
    case "complete": return .json(try queries.complete())
    case "object": return .json(try object(request, snapshot).object())
    case "incoming": return .json(try object(request, snapshot).incoming())
    case "history": return .json(try object(request, snapshot).history())
    default: break
    }
    throw Self.unknown(request)
  }

  private func object(_ request: StudioRequest, _ snapshot: Snapshot) throws -> ObjectAnswers {
    guard request.path.count == 4 else { throw Self.unknown(request) }
    return try ObjectAnswers(snapshot, className: request.path[2], name: request.path[3])
  }

  private func write(_ name: String, _ request: StudioRequest) throws -> StudioResponse {
    switch name {
    case "migration-preview":
      return try questions.run(request.headers["x-larder-question"]) {
        .json(try StoreAnswers(studio, try studio.store.snapshot()).migrationPreview(request.body))
      }
    case "cancel": return .json((["cancelled": .init(try questions.cancel(request.body))] as JSONValue).line)
    case "edit": return try editing.edit(request)
    case "undo": return try editing.undo(request)
    default: throw RequestFault("Nothing is written by '\(name)'.", status: 403, kind: "forbidden")
    }
  }

  private static func unknown(_ request: StudioRequest) -> RequestFault {
    RequestFault("There is nothing at '/\(request.path.joined(separator: "/"))'.", status: 404, kind: "notFound")
  }
}
