import Synchronization

/// Keeps what LMDB takes for each environment out of the memory that the process keeps.
///
/// An environment has lists for the pages of a transaction, of one and of two mebibytes, of which a small transaction uses a page. The C
/// library takes blocks of that size from the system at first, untouched, and gives them back when they are freed; once one was freed it
/// keeps such blocks for later ones, which it fills with zeros: 2 MiB of memory for each environment that is opened from then on
/// (docs/decisions/0045).
enum LargeBlocks {
  /// The number of environments from which on this matters. In a process with fewer the C library goes on as it is.
  private static let fewest = 4

  private static let prepared: Void = takeBlocksFromSystem(from: 1 << 20)

  /// To be called before an environment is opened in a process that has so many.
  static func prepare(open: Int) {
    if open >= fewest { prepared }
    mostOpen.max(open, ordering: .relaxed)
  }

  /// The most that were open since free memory was given back.
  private static let mostOpen = Atomic<Int>(0)
  /// The number of environments from which on giving memory back matters: it looks through all free memory of the process.
  private static let fewestGivenBack = 16

  /// To be called when an environment was closed, with how many are left. Gives the process's free memory back each time half are closed.
  static func closed(open: Int) {
    let most = mostOpen.load(ordering: .relaxed)
    guard most >= fewestGivenBack, open <= most / 2,
      mostOpen.compareExchange(expected: most, desired: open, ordering: .relaxed).exchanged
    else { return }
    giveBackFreeMemory()
  }
}
