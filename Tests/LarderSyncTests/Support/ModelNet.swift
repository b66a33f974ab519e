import LarderSyncProtocol
import TestSupport

@testable import LarderSync

/// Devices with a server, between which nothing moves but what a test says.
final class ModelNet {
  var server = ModelServer()
  let devices: [ModelDevice]

  init(
    devices count: Int, _ slices: SliceLimits = SliceLimits(), appliesProgressively: Bool = false,
    reset: ResetPlan = ResetPlan()
  ) throws {
    var configuration = ModelDevice.configuration()
    configuration.appliesProgressively = appliesProgressively
    configuration.reset = reset
    devices = try (0..<count).map { _ in try ModelDevice(slices, configuration) }
  }

  func disconnect(_ device: ModelDevice) { device.disconnect(&server) }

  /// Puts an earlier state of the server in the place of the present one, as a backup is restored. No connection outlives that.
  func restore(_ backup: ModelServer, raisesEpoch: Bool) {
    for device in devices { disconnect(device) }
    server = backup
    server.sessions = [:]
    if raisesEpoch { server.merger.part.epoch += 1 }
  }

  /// Moves one message each way, and lets the device do what it has.
  @discardableResult
  func exchange(_ device: ModelDevice) throws -> Bool {
    let isUp = !device.up.isEmpty
    device.upload(&server)
    let isDown = device.speak(&server)
    let isStep = try device.step(&server)
    return isUp || isDown || isStep
  }

  /// Lets everything arrive at a device that the server has for it, while uploads stay on their way.
  func upload(_ device: ModelDevice, keepsUploads: Bool) {
    var kept: [[UInt8]] = []
    var rounds = 0
    while rounds < 500 {
      rounds += 1
      while !device.up.isEmpty {
        let message = device.up.removeFirst()
        if keepsUploads, Self.isUpload(message, device) {
          kept.append(message)
        } else {
          device.up.insert(message, at: 0)
          device.upload(&server)
        }
      }
      let isDown = device.speak(&server)
      let isStep = (try? device.step(&server)) ?? false
      if !isDown, !isStep, device.up.isEmpty { break }
    }
    device.up = kept
  }

  private static func isUpload(_ bytes: [UInt8], _ device: ModelDevice) -> Bool {
    guard let frame = try? SyncFrame(decoding: bytes, site: device.exchange.session?.site) else { return false }
    if case .upload = frame.message { return true }
    return false
  }

  /// Lets everything arrive everywhere, until no one has anything to say.
  func settle(only some: [ModelDevice]? = nil) throws {
    for _ in 0..<5_000 {
      var isMoving = false
      for device in some ?? devices {
        try device.connect(&server)
        try device.pump(&server)
        while try exchange(device) { isMoving = true }
      }
      if !isMoving { break }
    }
    if let fault = server.faults.first { throw ModelFault(description: fault) }
  }
}

/// A fault: a thing that must not happen and did.
struct ModelFault: Error, CustomStringConvertible {
  let description: String
}
