import Metrics

/// The measures of merging, by the API of swift-metrics. May be used from any thread.
public struct MergingMetrics: Sendable {
  /// Commits of one transaction.
  let batchCommits: Recorder
  /// The duration of a transaction, repeated attempts included.
  let batchSeconds: Timer
  /// Commits that were merged.
  let merged: Counter
  /// Commits that were not, because they had been merged before or did not fit what the store has of their site.
  let unmerged: Counter
  /// Transactions that did not come about.
  let failed: Counter

  /// Measures of a factory; without one, nothing is measured.
  public init(factory: any MetricsFactory = NOOPMetricsHandler.instance) {
    batchCommits = Recorder(label: "larder_sync_batch_commits", factory: factory)
    batchSeconds = Timer(label: "larder_sync_batch_seconds", factory: factory)
    merged = Counter(label: "larder_sync_merged_commits", factory: factory)
    unmerged = Counter(label: "larder_sync_unmerged_commits", factory: factory)
    failed = Counter(label: "larder_sync_failed_batches", factory: factory)
  }
}
