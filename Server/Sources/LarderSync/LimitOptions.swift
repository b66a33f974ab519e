import ArgumentParser
import LarderSyncServer

/// The options for the limits of connections.
struct LimitOptions: ParsableArguments {
  @Option(help: "Connections in all.") var connections = ConnectionLimits().connections
  @Option(help: "Connections of one address; 0 for any number, as it has to be after a proxy.")
  var connectionsPerAddress = ConnectionLimits().connectionsPerAddress
  @Option(help: "Bytes that are read of a connection in a second.") var bytesPerSecond = ConnectionLimits()
    .bytesPerSecond
  @Option(help: "Commits that a device may send in a second.") var commitsPerSecond = DeviceLimits().commitsPerSecond
  @Option(help: "Bytes of uploads that a device may send in a second.") var uploadBytesPerSecond = DeviceLimits()
    .uploadBytesPerSecond
  @Option(help: "Queries in the subscriptions of a device.") var queriesPerSet = DeviceLimits().queriesPerSet

  func validate() throws {
    guard connections > 0, connectionsPerAddress >= 0, bytesPerSecond > 0, commitsPerSecond > 0,
      uploadBytesPerSecond > 0, queriesPerSet > 0
    else {
      throw ValidationError("Limits are greater than 0.")
    }
    let most = DeviceLimits().queriesPerSet
    guard queriesPerSet <= most else {
      throw ValidationError("--queries-per-set is at most \(most): devices make no larger sets.")
    }
  }

  var limits: ConnectionLimits {
    var limits = ConnectionLimits()
    limits.connections = connections
    limits.connectionsPerAddress = connectionsPerAddress
    limits.bytesPerSecond = bytesPerSecond
    return limits
  }

  var devices: DeviceLimits {
    var limits = DeviceLimits()
    limits.commitsPerSecond = commitsPerSecond
    limits.uploadBytesPerSecond = uploadBytesPerSecond
    limits.queriesPerSet = queriesPerSet
    return limits
  }
}
