import Foundation
import Logging

/// The limits, pauses and observers of a combiner.
public struct CombinerConfiguration: Sendable {
  /// The largest number of commits in a transaction, at most `UploadBatch.largest`.
  public var batchUploads: Int
  /// A transaction is full with so many bytes of commits; one commit may be more.
  public var batchBytes: Int
  /// The longest time that a batch waits for as many commits as the one before had.
  public var gathering: Duration
  /// The number of times that a batch is given to a store that says that it may be tried again. The store tries itself each time.
  public var attempts: Int
  /// The pauses between these attempts.
  public var pauses: RetryPolicy
  /// The time in milliseconds since 1970.
  public var clock: @Sendable () -> Int64
  /// The capacity of frames to devices.
  var capacity = FrameCapacity()
  /// The log that names commits which the combiner refuses because the database does not take them.
  public var logger = Logger(label: "larder-sync.combiner")
  /// Measures batches; nothing is measured unless it is set.
  public var metrics = MergingMetrics()

  /// A configuration with the usual values.
  public init(
    batchUploads: Int = UploadBatch.largest, batchBytes: Int = 8 << 20, gathering: Duration = .milliseconds(2),
    attempts: Int = 2, pauses: RetryPolicy = RetryPolicy(firstPause: .milliseconds(20)),
    clock: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1000) }
  ) {
    self.batchUploads = min(max(batchUploads, 1), UploadBatch.largest)
    self.batchBytes = batchBytes
    self.gathering = gathering
    self.attempts = max(attempts, 1)
    self.pauses = pauses
    self.clock = clock
  }
}
