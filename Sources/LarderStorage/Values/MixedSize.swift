/// Computes the number of bytes that mixed values take, which `MixedCodec` writes.
enum MixedSize {
  static func of(_ value: StoredValue) -> Int {
    switch value {
    case .null: 1
    case .bool: 2
    case .int, .double: 9
    case .float: 5
    case .string(let text): 1 + text.utf8.count
    case .data(let data): 1 + data.count
    case .date, .objectId: 13
    case .uuid, .decimal128: 17
    case .link: 1
    case .object: 11
    case .list(let list):
      list.reduce(1 + varint(list.id) + varint(UInt64(list.count))) { $0 + block(of($1)) }
    case .dictionary(let entries):
      entries.reduce(1 + varint(entries.id) + varint(UInt64(entries.count))) {
        $0 + block($1.key.utf8.count) + block(of($1.value))
      }
    }
  }

  private static func block(_ size: Int) -> Int { varint(UInt64(size)) + size }
  private static func varint(_ value: UInt64) -> Int { max(1, (64 - value.leadingZeroBitCount + 6) / 7) }
}
