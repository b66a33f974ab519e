import LarderStorage

/// The memory that a cursor may use, which changes no answer.
struct SQLMemory {
  var foundKeys = CachePolicy.foundKeys
  var foundKeysOfScan = CachePolicy.foundKeysOfScan
  var joinTableBytes = CachePolicy.joinTableBytes
}
