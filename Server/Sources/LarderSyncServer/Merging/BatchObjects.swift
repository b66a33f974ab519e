import LarderSyncProtocol

/// The objects of a batch, read once and written once.
struct BatchObjects: MergeObjects {
  private struct Entry {
    var state = ObjectState()
    /// The row; nil for an object of a class that the schema does not know, of which nothing is kept.
    var key: ObjectKey?
    var schemaClass: SchemaClass?
    /// True if there was a row before.
    var isStored = false
    /// About how large the object may be: the bytes of its row, and of the uploads of the batch that name it alone.
    var bytes = 0
  }

  private var entries: [ObjectName: Entry] = [:]
  /// The bytes of uploads of the batch that name several objects, any of which may have got them.
  private var sharedBytes = 0

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
        entry.bytes = record.body.count
        // No operation can come any more that needs what the end of the log has passed.
        if record.version <= state.part.floor { entry.state.trim() }
      }
      entries[object] = entry
    }
  }

  /// Notes that the objects that an upload names may be larger by it. Returns about how large they may be together.
  mutating func grow(by upload: SubmittedUpload) -> Int {
    if upload.names.count == 1 {
      entries[upload.names[0]]?.bytes += upload.size
    } else {
      sharedBytes += upload.size
    }
    return upload.names.reduce(sharedBytes) { $0 + (entries[$1]?.bytes ?? 0) }
  }

  /// The rows. An object that nothing is known of after the batch either has none.
  func writes() -> [ObjectWrite] {
    entries.compactMap { object, entry in
      guard let key = entry.key, entry.isStored || entry.state.isKnown else { return nil }
      return ObjectWrite(key, entry.state, of: object, in: entry.schemaClass)
    }
  }
}
