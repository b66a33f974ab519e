import LarderSyncProtocol

/// The bytes that both sides may still send. A value.
///
/// A frame may be sent as long as there is any credit, so that one that is larger than all of it is sent too.
struct SessionFlow: Sendable {
  private let window: Int64
  private var toDevice: Int64
  private var fromDevice: Int64
  /// Bytes that were taken and are not given back yet.
  private var taken: Int64 = 0

  init(credit: UInt64) {
    window = Int64(clamping: credit)
    toDevice = window
    fromDevice = window
  }

  /// True if the device takes another frame.
  var maySend: Bool { toDevice > 0 }

  mutating func sent(_ bytes: Int) { toDevice -= Int64(bytes) }

  /// The device gives credit.
  mutating func add(_ bytes: UInt64) {
    let (sum, overflow) = toDevice.addingReportingOverflow(Int64(clamping: bytes))
    toDevice = overflow ? .max : sum
  }

  /// Takes a frame of the device's; false when it had no credit for one.
  mutating func receive(_ bytes: Int) -> Bool {
    guard fromDevice > 0 else { return false }
    fromDevice -= Int64(bytes)
    return true
  }

  /// Notes that frames of so many bytes are done with. Returns credit that is to be given now; it is gathered up to a quarter of the window.
  mutating func done(_ bytes: Int) -> UInt64? {
    taken += Int64(bytes)
    guard taken > 0, taken >= window / 4 else { return nil }
    fromDevice += taken
    defer { taken = 0 }
    return UInt64(taken)
  }

  /// Returns true if frames of a message count.
  static func counts(_ message: SyncMessage) -> Bool {
    switch message {
    case .credit, .ping, .pong, .failure: false
    default: true
    }
  }
}
