import LarderLocks
import LarderStorage

/// The state that the kernels of one run share.
final class ExecutionContext {
  let reader: any StoreReader
  let clusterSize: Int
  /// Words per cluster bitmap.
  let stride: Int
  var counters = ExecutionCounters()
  /// Finds the objects of a linked class for which a predicate holds, by the cheapest way; nil: by a scan.
  let findLinked: FindLinked?
  /// True if an index is used wherever there is one, whatever it takes.
  var avoidsScans = false
  /// Follows the run for `explain`; nil otherwise.
  var recorder: PlanRecorder?
  /// Ends the run, if anyone may: it is asked for each leaf and each cluster.
  let interruption = Interruption.current
  private var linkedSets: [LinkedSet: KeySet] = [:]

  typealias FindLinked = (ExecutionContext, BoundPredicate, ClassID, Kernel) throws -> KeySet

  private struct LinkedSet: Hashable {
    var classID: ClassID
    var predicate: BoundPredicate
  }

  init(_ reader: any StoreReader, findLinked: FindLinked? = nil) {
    self.findLinked = findLinked
    self.reader = reader
    self.clusterSize = reader.clusterSize
    self.stride = Bitmap.wordCount(reader.clusterSize)
  }

  /// Runs an operation of the plan; the node is only made where something follows the run.
  @inline(__always)
  func record<T>(
    _ node: @autoclosure () -> PlanNode, rows: (T) -> Int, _ body: () throws -> T
  ) rethrows -> T {
    guard let recorder else { return try body() }
    return try recorder.record(node(), leaves: { counters.leavesRead }, rows: rows, body)
  }

  /// The names that explanations use.
  var names: PredicateDescription { PredicateDescription(schema: reader.schema) }

  func leaf(_ classID: ClassID, _ column: ColumnID, _ cluster: Int) throws -> LeafView? {
    counters.leavesRead += 1
    try interruption?.check()
    return try reader.leaf(classID, column, cluster: cluster)
  }

  /// Copies the presence bits of a cluster; false when it holds no object.
  func presence(_ classID: ClassID, _ cluster: Int, into words: UnsafeMutablePointer<UInt64>) throws -> Bool {
    try interruption?.check()
    guard let leaf = try reader.presence(classID, cluster: cluster) else { return false }
    let available = Bitmap.wordCount(leaf.count)
    let pointers = leaf.pointers
    var any: UInt64 = 0
    for index in 0..<stride {
      var word = index < available ? pointers.bitWord(index) : 0
      let rest = leaf.count - index << 6
      if rest < 64, rest > 0 { word &= 1 << UInt64(rest) - 1 }
      words[index] = word
      any |= word
    }
    return any != 0
  }

  /// The objects of a linked class for which a predicate holds; worked out once per run.
  func linkedKeys(_ predicate: BoundPredicate, _ classID: ClassID, _ kernel: Kernel) throws -> KeySet {
    let id = LinkedSet(classID: classID, predicate: predicate)
    if let known = linkedSets[id] { return known }
    let set =
      try findLinked?(self, predicate, classID, kernel)
      ?? Scan(context: self, classID: classID, kernel: kernel).keySet()
    linkedSets[id] = set
    return set
  }

  /// All live objects of a class.
  func liveKeys(_ classID: ClassID) throws -> KeySet {
    let clusters = try reader.liveClusters(of: classID)
    var set = KeySet(clusterSize: clusterSize, clusters: clusters)
    try withUnsafeTemporaryAllocation(of: UInt64.self, capacity: stride) { buffer in
      guard let words = buffer.baseAddress else { return }
      for cluster in clusters where try presence(classID, cluster, into: words) { set.set(cluster: cluster, words) }
    }
    return set
  }
}
