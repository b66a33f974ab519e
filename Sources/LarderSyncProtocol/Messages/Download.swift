/// Records of the server's log, from the server. The device applies a batch in one transaction, together with the cursor.
public struct Download: Hashable, Sendable {
  /// The part of the tenant's data that the records are of; versions of different parts are not compared.
  public let part: UInt32
  /// The records, in ascending order of their versions.
  public let records: [DownloadRecord]
  /// The device's position after the batch, which only the server understands.
  public let cursor: [UInt8]

  /// A batch of records with ascending versions.
  public init(part: UInt32 = 0, records: [DownloadRecord], cursor: [UInt8]) {
    precondition(
      zip(records, records.dropFirst()).allSatisfy { $0.version < $1.version }, "records have ascending versions")
    self.part = part
    self.records = records
    self.cursor = cursor
  }
}

extension Download: SyncCodable {
  public func encode(into encoder: inout SyncEncoder) {
    encoder.writer.varint(UInt64(part))
    encoder.writer.count(records.count)
    var previous: DownloadRecord?
    for record in records {
      record.encode(into: &encoder, after: previous)
      previous = record
    }
    encoder.writer.data(cursor)
  }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    part = try decoder.reader.varint32()
    let count = try decoder.reader.count(eachAtLeast: 5)
    var records: [DownloadRecord] = []
    records.reserveCapacity(count)
    for _ in 0..<count { records.append(try DownloadRecord(from: &decoder, after: records.last)) }
    self.records = records
    cursor = try decoder.reader.data()
  }
}
