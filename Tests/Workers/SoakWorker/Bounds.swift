/// A check that the resources a run took are bounded.
struct Bounds {
  private let samples: [Sample]
  /// The first look, before anything ran, and the one after everything was let go.
  private let first: Sample
  private let last: Sample
  private let mostBehind: Int

  /// - Parameter mostBehind: The most commits that there were since a version in use.
  init(first: Sample, _ samples: [Sample], last: Sample, mostBehind: Int) {
    (self.first, self.samples, self.last, self.mostBehind) = (first, samples, last, mostBehind)
  }

  /// The quantities that grew without a bound; empty when none did.
  var breaches: [String] {
    var breaches =
      grown("memory", \.memoryKiB, byAtMost: 0.15, orKiB: 4096) + left("reader slots", \.readerSlots, butFor: 0)
      + left("open files", \.openFiles, butFor: 4)
    if heapBytesPerCommit > Self.mostHeapBytes {
      breaches.append("the heap grew by \(heapBytesPerCommit) bytes a commit in the second half")
    }
    if last.fileKiB > mostFileKiB {
      breaches.append("the file is larger than what was written beside an old version explains")
    }
    return breaches
  }

  /// The explanation of the file's size.
  var room: String {
    """
    \(kibPerCommit) KiB written per commit, at most \(mostBehind) commits since a version in use: room for a file of \(mostFileKiB) \
    KiB, it has \(last.fileKiB) KiB
    """
  }

  /// Bytes a commit by which the heap may grow in the second half of a run: what a commit does not give back is a leak, however small.
  private static let mostHeapBytes = 16
  /// KiB by which the heap changes with what is under way when it is looked at.
  private static let heapNoise = 1_024

  /// Between the least of the third quarter and the least of the last one: at these moments the least was under way.
  var heapBytesPerCommit: Int {
    let quarter = samples.count / 4
    guard quarter > 0 else { return 0 }
    let (third, fourth) = (samples.dropLast(quarter).suffix(quarter), samples.suffix(quarter))
    guard let before = third.min(by: { $0.heapKiB < $1.heapKiB }),
      let after = fourth.min(by: { $0.heapKiB < $1.heapKiB }),
      after.heapKiB - before.heapKiB > Self.heapNoise, after.commits > before.commits
    else { return 0 }
    return (after.heapKiB - before.heapKiB) * 1_024 / (after.commits - before.commits)
  }

  private var kibPerCommit: Int {
    (last.writtenKiB - first.writtenKiB) / max(1, last.commits - first.commits)
  }

  /// Pages that became free since the oldest version in use wait for it, and no others do. Twice, because some values need pages
  /// side by side, which free ones may not be.
  private var mostFileKiB: Int {
    first.fileKiB + (samples.map(\.usedKiB).max() ?? 0) + 2 * mostBehind * kibPerCommit
  }

  /// In the second half of the run more than in the first. A part, for the noise of allocators; in short runs so many KiB.
  private func grown(_ name: String, _ value: KeyPath<Sample, Int>, byAtMost part: Double, orKiB slack: Int) -> [String]
  {
    let (early, late) = (samples.prefix(samples.count / 2), samples.suffix(samples.count - samples.count / 2))
    guard let before = early.map({ $0[keyPath: value] }).max(), let after = late.map({ $0[keyPath: value] }).max(),
      after - before > max(slack, Int(Double(before) * part))
    else { return [] }
    return ["\(name) grew from \(before) KiB at most in the first half to \(after) KiB in the second"]
  }

  /// After the end more than before the beginning. Run loops of threads have files of their own, and come and go a moment later.
  private func left(_ name: String, _ value: KeyPath<Sample, Int>, butFor some: Int) -> [String] {
    let (before, after) = (first[keyPath: value], last[keyPath: value])
    return after > before + some ? ["\(name): \(before) before, \(after) after everything was let go"] : []
  }
}
