/// The transport where the package is built without the trait `Sync`: nothing can be reached.
package struct MissingTransport: SyncTransport {
  package init() {}

  /// - Throws: `TransportError.unavailable`, always.
  package func connect(_ endpoint: SyncEndpoint) async throws -> any SyncConnection { throw TransportError.unavailable }
}
