/// LMDB's limits: a key has 1...511 bytes.
@inline(__always)
func isPossibleKey(_ count: Int) -> Bool { count &- 1 < SizeLimits.key && count > 0 }

@inline(never)
func badKeySize(_ count: Int, _ operation: String) -> LMDBError {
  LMDBError(.badValueSize, operation, detail: "a key has 1 to \(SizeLimits.key) bytes, not \(count)")
}

/// Sizes that the tables accept.
package enum SizeLimits {
  /// Bytes of the longest key; LMDB's limit.
  package static let key = 511
  /// Bytes of the longest value: one contiguous run of pages and one write call. Longer ones are stored in parts.
  package static let value = 16 << 20
  /// Key and value together that stay inside of a leaf page of 4096 bytes; more goes to overflow pages.
  package static let inline = 2030
}
