import LarderSyncProtocol

/// The state of a set of subscriptions at the server and on this device (Y-2).
package enum SubscriptionSetState: Hashable, Sendable {
  /// The server has not accepted the set, or not all of its objects are here.
  case pending
  /// The server has accepted the set and its objects are here.
  case complete
  /// The server has refused the set; the queries before it stay in force (Y-5).
  case error(SyncFailure)
}

extension SubscriptionSetState: SyncCodable {
  package func encode(into encoder: inout SyncEncoder) {
    switch self {
    case .pending: encoder.writer.byte(0)
    case .complete: encoder.writer.byte(1)
    case .error(let failure):
      encoder.writer.byte(2)
      failure.encode(into: &encoder)
    }
  }

  package init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    let start = decoder.reader.position
    let tag = try decoder.reader.byte()
    switch tag {
    case 0: self = .pending
    case 1: self = .complete
    case 2: self = .error(try SyncFailure(from: &decoder))
    default: throw SyncDecodingError(.unknownTag(UInt64(tag), of: "states of subscriptions"), at: start)
    }
  }
}
