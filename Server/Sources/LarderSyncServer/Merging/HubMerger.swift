import LarderSyncProtocol

/// Merges the commits of a batch, each by the rules of its user. A value that computes only: asked again with other rows, it begins again.
struct HubMerger: UploadMerger {
  /// The batch, with those that turn out not to be merged.
  let uploads: [SubmittedUpload]
  /// The server's clock, in milliseconds since 1970.
  let now: UInt64

  /// - Throws: `SyncStoreError` of kind `damaged` when a row cannot be read.
  func merge(_ state: MergeState) throws -> MergedUploads {
    let taken = try taken(for: state.uploads)
    var objects = BatchObjects()
    for upload in taken { try objects.load(upload, from: state) }
    var part = PartState(state.part)
    var clients = state.clients.mapValues { ClientState($0) }
    var changes: [MergedChange] = []
    changes.reserveCapacity(taken.count)
    for upload in taken {
      var merger = Merger(part: part, rules: UploadRules(access: upload.access))
      let merged = merger.merge(
        upload.commit, site: upload.site, client: &clients[upload.row.site, default: ClientState()], now: now,
        objects: &objects)
      part = merger.part
      changes.append(merged.change { objects[$0].properties() })
    }
    return MergedUploads(changes: changes, objects: objects.writes())
  }

  /// The uploads of the batch that the store lets through, which come in the order of the batch.
  private func taken(for rows: [Upload]) throws(SyncStoreError) -> [SubmittedUpload] {
    guard rows.count < uploads.count else { return uploads }
    var taken: [SubmittedUpload] = []
    var rest = uploads[...]
    for row in rows {
      guard let index = rest.firstIndex(where: { $0.row.isSameUpload(as: row) }) else {
        throw SyncStoreError(.invalidValue, "commit \(row.siteVersion) of site \(row.site) is not of this batch")
      }
      taken.append(rest[index])
      rest = rest[(index + 1)...]
    }
    return taken
  }
}

extension Upload {
  fileprivate func isSameUpload(as other: Upload) -> Bool {
    siteVersion == other.siteVersion && site == other.site && session == other.session && nonce == other.nonce
  }
}

/// The objects of a batch, read once and written once.
private struct BatchObjects: MergeObjects {
  private struct Entry {
    var state = ObjectState()
    /// The row; nil for an object of a class that the schema does not know, of which nothing is kept.
    var key: ObjectKey?
    var schemaClass: SchemaClass?
    /// Whether there was a row before.
    var isStored = false
  }

  private var entries: [ObjectName: Entry] = [:]

  subscript(object: ObjectName) -> ObjectState {
    get { entries[object]?.state ?? ObjectState() }
    _modify { yield &entries[object, default: Entry()].state }
  }

  /// Takes the states of the objects that an upload names.
  mutating func load(_ upload: SubmittedUpload, from state: MergeState) throws(SyncStoreError) {
    for (object, key) in zip(upload.names, upload.row.keys) {
      let schemaClass = upload.access.storedClass(object.className)
      if entries[object] != nil {
        // Rules may have changed within a batch: the last ones say what can be asked for.
        entries[object]?.schemaClass = schemaClass
        continue
      }
      var entry = Entry(key: key, schemaClass: schemaClass)
      if let record = state.objects[key] {
        entry.state = try ObjectState(record)
        entry.isStored = true
        // No operation can come any more that needs what the end of the log has passed.
        if record.version <= state.part.floor { entry.state.trim() }
      }
      entries[object] = entry
    }
  }

  /// The rows. An object that nothing is known of after the batch either has none.
  func writes() -> [ObjectWrite] {
    entries.compactMap { object, entry in
      guard let key = entry.key, entry.isStored || entry.state.isKnown else { return nil }
      return ObjectWrite(key, entry.state, of: object, in: entry.schemaClass)
    }
  }
}

extension PartState {
  fileprivate init(_ record: PartRecord) {
    self.init(
      head: UInt64(clamping: record.head), floor: UInt64(clamping: record.floor), epoch: UInt64(clamping: record.epoch),
      newestTime: SyncTime(rawValue: record.maxTime))
  }
}

extension ClientState {
  fileprivate init(_ record: ClientRecord) {
    self.init(
      lastSiteVersion: UInt64(clamping: record.lastSiteVersion), lastTime: SyncTime(rawValue: record.lastTime),
      session: UInt64(clamping: record.session))
  }
}
