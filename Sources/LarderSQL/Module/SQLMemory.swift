import LarderStorage

/// What a cursor may remember, which changes no answer.
struct SQLMemory {
  var foundKeys = CachePolicy.foundKeys
  var foundKeysOfScan = CachePolicy.foundKeysOfScan
  var joinTableBytes = CachePolicy.joinTableBytes
}
