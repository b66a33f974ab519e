import Foundation
import Larder

/// The resources that the process and its store take at one moment.
struct Sample {
  /// Seconds since the beginning.
  var seconds: Double
  var commits: Int
  /// Memory of its own, without the pages of mapped files.
  var memoryKiB: Int
  /// The part of it that the program has asked for and not given back.
  var heapKiB: Int
  var fileKiB: Int
  /// The part of the file that holds something: the rest is free, or waits for a reader of an older version.
  var usedKiB: Int
  var logRecords: Int
  /// Slots in LMDB's table of readers, the one of this look included.
  var readerSlots: Int
  /// Seconds for which the oldest version that is read has kept pages from being used again.
  var heldSeconds: Double
  /// KiB that the process has written since it began.
  var writtenKiB: Int
  var openFiles: Int
  var threads: Int

  /// Reads each key of the store once, in a snapshot of its own.
  init(of file: URL, since start: Date, commits: Int) throws {
    let inspection = try StoreInspection(fileURL: file)
    seconds = Date().timeIntervalSince(start)
    self.commits = commits
    memoryKiB = Self.number("RssAnon:", in: "/proc/self/status")
    heapKiB = Heap.usedKiB
    threads = Self.number("Threads:", in: "/proc/self/status")
    writtenKiB = Self.number("wchar:", in: "/proc/self/io") / 1024
    fileKiB = inspection.fileSize / 1024
    usedKiB = (inspection.fileSize - inspection.freePages * inspection.pageSize) / 1024
    logRecords = inspection.logRecords
    readerSlots = inspection.readers.count
    heldSeconds = inspection.readers.compactMap(\.heldFor).max() ?? 0
    openFiles = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
  }

  private static func number(_ name: String, in file: String) -> Int {
    let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
  }

  static let heading =
    "seconds  commits  memory KiB  heap KiB  file KiB  used KiB  log records  slots  held s  files  threads"

  var line: String {
    let columns = [
      (String(format: "%.1f", seconds), 7), ("\(commits)", 7), ("\(memoryKiB)", 10), ("\(heapKiB)", 8),
      ("\(fileKiB)", 8),
      ("\(usedKiB)", 8),
      ("\(logRecords)", 11), ("\(readerSlots)", 5), (String(format: "%.2f", heldSeconds), 6), ("\(openFiles)", 5),
      ("\(threads)", 7),
    ]
    return columns.map { String(repeating: " ", count: max(0, $1 - $0.count)) + $0 }.joined(separator: "  ")
  }
}
