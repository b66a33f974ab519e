/// Merges uploads into objects. It computes only: it may be asked again with other objects when the transaction has to be repeated.
public protocol UploadMerger: Sendable {
  /// The changes that uploads make, in their order and one for each, and the objects afterwards.
  ///
  /// - Throws: any error, which cancels the whole batch.
  func merge(_ state: MergeState) throws -> MergedUploads
}

/// The state that uploads are merged into. No other transaction changes it meanwhile.
public struct MergeState: Sendable {
  /// The uploads that are neither duplicates nor refused.
  public let uploads: [Upload]
  /// The part before them. The upload at index `i` becomes version `part.head + 1 + i`.
  public let part: PartRecord
  /// The sites of all uploads.
  public let clients: [SiteKey: ClientRecord]
  /// The objects that the uploads name, as far as they are there.
  public let objects: [ObjectKey: ObjectRecord]
  /// The indexes of uploads that another copy of the same device has sent already (MR-16). They get a version and have no effect.
  public var repeated: Set<Int> = []
}

/// The outcome of a merge.
public struct MergedUploads: Sendable {
  /// One for each upload.
  public var changes: [MergedChange]
  /// The objects that are different now.
  public var objects: [ObjectWrite]

  public init(changes: [MergedChange], objects: [ObjectWrite]) {
    self.changes = changes
    self.objects = objects
  }
}

/// The outcome of merging one upload.
public struct MergedChange: Hashable, Sendable {
  /// The hybrid time that it counts with.
  public var time: UInt64
  /// The changes that won, in the protocol's encoding.
  public var delta: [UInt8]
  /// The values that queryable properties had before, in the protocol's encoding.
  public var before: [UInt8]

  public init(time: UInt64, delta: [UInt8], before: [UInt8]) {
    self.time = time
    self.delta = delta
    self.before = before
  }
}
