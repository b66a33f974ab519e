/// Whether what a run took came to rest: nothing may be larger in its second half than in its first, but for the noise of a machine
/// that others use too.
struct Bounds {
  private let samples: [Sample]
  /// The first look, before anything ran, and the one after everything was let go.
  private let first: Sample
  private let last: Sample

  init(first: Sample, _ samples: [Sample], last: Sample) {
    (self.first, self.samples, self.last) = (first, samples, last)
  }

  /// What grew without a bound; empty when nothing did.
  var breaches: [String] {
    grown("memory", \.memoryKiB, byAtMost: 0.15, orKiB: 4096)
      + grown("the file", \.fileKiB, byAtMost: 0.15, orKiB: 4096)
      + grown("what the file holds", \.usedKiB, byAtMost: 0.5, orKiB: 512) + left("reader slots", \.readerSlots)
      + left("open files", \.openFiles)
  }

  /// A part, because a stall of the machine keeps a version in use for longer and the file grows by what is written meanwhile; in short
  /// runs so many KiB, because allocators and the file take theirs in steps.
  private func grown(_ name: String, _ value: KeyPath<Sample, Int>, byAtMost part: Double, orKiB slack: Int) -> [String]
  {
    let (early, late) = (samples.prefix(samples.count / 2), samples.suffix(samples.count - samples.count / 2))
    guard let before = early.map({ $0[keyPath: value] }).max(), let after = late.map({ $0[keyPath: value] }).max(),
      after - before > max(slack, Int(Double(before) * part))
    else { return [] }
    return ["\(name) grew from \(before) KiB at most in the first half to \(after) KiB in the second"]
  }

  private func left(_ name: String, _ value: KeyPath<Sample, Int>) -> [String] {
    let (before, after) = (first[keyPath: value], last[keyPath: value])
    return after > before ? ["\(name): \(before) before, \(after) after everything was let go"] : []
  }
}
