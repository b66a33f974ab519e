/// A type that answers requests, on any thread. The server knows nothing else of it, and it nothing of the server.
package protocol Handler: Sendable {
  func respond(to request: StudioRequest) -> StudioResponse
}
