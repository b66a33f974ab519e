import LarderStorage
import LarderSyncProtocol

/// An operation that the server did not accept, with what the program had written (Y-28).
struct RefusedEntry: Hashable, Sendable {
  let operation: RefusedOperation
  let values: [SyncProperty]
}

extension RefusedEntry: SyncCodable {
  func encode(into encoder: inout SyncEncoder) {
    operation.encode(into: &encoder)
    SyncValue.embedded(SyncEmbedded(incarnation: .root, properties: values)).encode(into: &encoder)
  }

  init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    operation = try RefusedOperation(from: &decoder)
    let value = try SyncValue(from: &decoder)
    if case .embedded(let embedded) = value { values = embedded.properties } else { values = [] }
  }
}

/// Keeps operations that the server did not accept in the store until the program was notified of them: a batch for each transaction that found some,
/// under its number.
struct RefusedRecords {
  private static let stateName = "refused"
  private let state: SyncWriting

  init(_ state: SyncWriting) { self.state = state }

  private static func name(_ number: UInt64) -> String { stateName + "." + String(number, radix: 16) }

  /// The numbers that batches may have.
  private func numbers() throws -> Range<UInt64> {
    guard let bytes = try state.state(Self.stateName) else { return 0..<0 }
    var decoder = SyncDecoder(bytes)
    let first = try decoder.reader.varint()
    return first..<max(first, try decoder.reader.varint())
  }

  private func setNumbers(_ numbers: Range<UInt64>) throws {
    var encoder = SyncEncoder()
    encoder.writer.varint(numbers.lowerBound)
    encoder.writer.varint(numbers.upperBound)
    try state.setState(Self.stateName, encoder.writer.bytes)
  }

  /// Keeps a batch, and returns its number.
  func add(_ entries: [RefusedEntry]) throws -> UInt64 {
    let numbers = try numbers()
    var encoder = SyncEncoder()
    encoder.writer.count(entries.count)
    for entry in entries { entry.encode(into: &encoder) }
    try state.setLongState(Self.name(numbers.upperBound), encoder.writer.bytes)
    try setNumbers(numbers.lowerBound..<(numbers.upperBound + 1))
    return numbers.upperBound
  }

  /// All batches in the order in which they were kept.
  func all() throws -> [(number: UInt64, entries: [RefusedEntry])] {
    try numbers().compactMap { number in
      try state.longState(Self.name(number)).map { bytes in
        var decoder = SyncDecoder(bytes)
        let count = try decoder.reader.count(eachAtLeast: 8)
        return (number, try (0..<count).map { _ in try RefusedEntry(from: &decoder) })
      }
    }
  }

  /// Forgets batches.
  func remove(_ removed: [UInt64]) throws {
    for number in removed { try state.setLongState(Self.name(number), nil) }
    let numbers = try numbers()
    let first = try numbers.first { try state.longState(Self.name($0)) != nil } ?? numbers.upperBound
    if first != numbers.lowerBound { try setNumbers(first..<numbers.upperBound) }
  }
}
