import CLMDB
import Foundation
import Synchronization

/// Growing the address range that the file is mapped into. Users never see it, unless their own snapshots forbid it.
///
/// States: *steady*; *draining* (new transactions wait, live ones finish); *exchanging* (alone: `mdb_env_set_mapsize`);
/// steady again, larger. A drain that takes too long returns to steady, unchanged, with an error that names the pins.
extension Environment {
  /// Bytes of the reserved address range.
  package var mapSize: Int { Int(info.me_mapsize) }

  /// Bytes of the file up to the last page that was ever used.
  package var usedBytes: Int { (Int(info.me_last_pgno) + 1) * pageSize }

  /// Bytes of a page of this file.
  package var pageSize: Int {
    ledger.withMap {
      var stat = MDB_stat()
      if !map.isLost.load(ordering: .relaxed) { mdb_env_stat(handle, &stat) }
      return Int(stat.ms_psize)
    }
  }

  /// Doubles the map after `mapFull`, unless it is larger than `size` already. The failed transaction must have ended.
  ///
  /// Waits for this process's transactions up to `growthPatience`. Throws `readersPinMap` or `mapLimit`.
  package func growMap(beyond size: Int) throws {
    guard mapSize <= size else { return }
    guard size < options.maximumMapSize else {
      throw LMDBError(.mapLimit, "growing the map", detail: "\(path) may use \(options.maximumMapSize) bytes")
    }
    try exchangeMap(patience: options.growthPatience) { current in
      current > size ? nil : min(max(current * 2, 1 << 20), self.options.maximumMapSize)
    }
  }

  /// Grows the map to hold what another process has committed beyond its end, and more.
  func adoptMap() throws {
    // The newest meta page is in every map.
    try exchangeMap(patience: options.growthPatience) { current in
      let used = self.newestBytes
      if used <= current { return nil }
      let wanted = max(used, min(MapReservation.grown(from: used, 4), self.options.maximumMapSize))
      return MapReservation.isAvailable(wanted) ? wanted : used
    }
  }

  /// Before a write: doubles a map that the last transaction did not fit into, waiting as `growMap` does; and one that
  /// is half full, when none is in its way.
  func growAhead() throws {
    let outgrown = map.outgrownSize.exchange(0, ordering: .relaxed)
    let info = info
    let size = Int(info.me_mapsize)
    let isHalfFull = (Int(info.me_last_pgno) + 1) * pageSize > size / 2
    guard size < options.maximumMapSize, isHalfFull || outgrown >= size else { return }
    do {
      try exchangeMap(patience: outgrown >= size ? options.growthPatience : 0) {
        min($0 * 2, self.options.maximumMapSize)
      }
    } catch let error as LMDBError where [.readersPinMap, .noAddressSpace].contains(error.code) {
      // This transaction may still fit; if not, it fails with `mapFull`.
    }
  }

  /// Bytes that the newest version has in use. Within a drain, which holds the lock of `usedBytes`.
  private var newestBytes: Int {
    var (info, pages) = (MDB_envinfo(), MDB_stat())
    mdb_env_info(handle, &info)
    mdb_env_stat(handle, &pages)
    return (Int(info.me_last_pgno) + 1) * Int(pages.ms_psize)
  }

  /// Exchanges the map alone; `newSize` gets the current size, and gives nil for no change.
  private func exchangeMap(patience: Double, _ newSize: (Int) -> Int?) throws {
    try ledger.drain(patience: patience) {
      // Another may have lost the map meanwhile.
      try health.check()
      var info = MDB_envinfo()
      mdb_env_info(handle, &info)
      guard let size = newSize(Int(info.me_mapsize)) else { return }
      guard MapReservation.isAvailable(size) else {
        throw LMDBError(
          .noAddressSpace, "growing the map", detail: "\(Self.openCount - 1) other stores are open in this process")
      }
      let result = mdb_env_set_mapsize(handle, size)
      if result != 0 {
        // LMDB unmapped the old range first: nothing may touch the environment any more.
        let error = LMDBError(
          .init(rawValue: result), "mdb_env_set_mapsize", detail: "\(size) bytes for \(path); close and reopen it")
        if result != EINVAL {
          map.isLost.store(true, ordering: .relaxed)
          health.condemn(error)
        }
        throw error
      }
    }
  }
}
