import LarderLMDB

/// An object of a synced class that links lead to and that is not here (L-8): under its key, what it is called elsewhere.
struct Ghost {
  let primaryKey: StoredValue

  init(primaryKey: StoredValue) { self.primaryKey = primaryKey }

  static func key(_ link: ObjectLink) -> KeyBytes {
    KeyBytes(UInt64(link.classID.rawValue) << 48, link.key.rawValue)
  }

  func encoded() -> [UInt8] {
    var writer = LogWriter()
    LogValue.encode(primaryKey, into: &writer)
    writer.pad()
    return writer.bytes
  }

  init(decoding view: ByteView) throws {
    var reader = LogReader(view)
    primaryKey = try LogValue.decode(&reader)
  }
}
