/// The engine that a session uses; `SyncEngine` is the one that connects.
package protocol SyncEngineProtocol: AnyObject, Sendable {
  var status: EngineStatus { get }
  func observe(_ body: @escaping @Sendable (EngineEvent) -> Void) -> EngineObservation
  func start()
  func suspend()
  func resume()
  func reconnect()
  func stop() async
  func subscriptionsChanged()
  func updateToken()
  func refusalsReported()
  func waitForUpload() async throws
  func waitForDownload() async throws
}

extension SyncEngine: SyncEngineProtocol {}
