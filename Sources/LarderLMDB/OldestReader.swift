import CLMDB
import Foundation

extension Environment {
  /// LMDB's transaction id of the oldest version that any process reads; `UInt64.max` when nobody reads.
  ///
  /// Costs a walk over the reader table, some microseconds. `mdb_reader_list`.
  package var oldestReader: UInt64 {
    var oldest = UInt64.max
    withUnsafeMutablePointer(to: &oldest) { pointer in
      _ = mdb_reader_list(
        handle,
        { text, context in
          guard let text, let context else { return 0 }
          // A line is "pid thread txnid"; idle slots have "-" for the last.
          let fields = String(cString: text).split(whereSeparator: \.isWhitespace)
          if fields.count == 3, let id = UInt64(fields[2]) {
            let oldest = context.assumingMemoryBound(to: UInt64.self)
            oldest.pointee = min(oldest.pointee, id)
          }
          return 0
        }, pointer)
    }
    return oldest
  }
}
