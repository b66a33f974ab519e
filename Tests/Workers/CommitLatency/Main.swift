import Dispatch
import Foundation
import Larder

final class Reading: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var number: Int
}

/// Measures how long a commit takes to reach an observer in another process, while nothing else happens.
///
/// `CommitLatency [COMMITS [PAUSE]]` makes a store, observes it, and starts itself as `CommitLatency write FILE COMMITS PAUSE`,
/// which commits so often, with so many milliseconds before each. Times are of the system's one monotonic clock.
@main
enum Main {
  static func main() throws {
    let words = Array(CommandLine.arguments.dropFirst())
    if words.first == "write", words.count == 4, let count = Int(words[2]), let pause = Int(words[3]) {
      return try write(to: URL(fileURLWithPath: words[1]), count, pause)
    }
    let count = words.first.flatMap { Int($0) } ?? 200
    let pause = words.dropFirst().first.flatMap { Int($0) } ?? 100
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("latency-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try observe(folder.appendingPathComponent("latency.larder"), count, pause)
  }

  static func configuration(_ file: URL) -> Realm.Configuration {
    Realm.Configuration(fileURL: file, objectTypes: [Reading.self])
  }

  private static func write(to file: URL, _ count: Int, _ pause: Int) throws {
    let realm = try Realm(configuration: configuration(file))
    guard let reading = realm.object(ofType: Reading.self, forPrimaryKey: 0) else { return }
    for number in 1...count {
      Thread.sleep(forTimeInterval: Double(pause) / 1000)
      let before = DispatchTime.now().uptimeNanoseconds
      try realm.write { reading.number = number }
      print(number, before, DispatchTime.now().uptimeNanoseconds)
    }
  }

  private static func observe(_ file: URL, _ count: Int, _ pause: Int) throws {
    let observer = Observer()
    try observer.start(configuration(file))
    defer { observer.stop() }
    let writer = Process()
    let output = Pipe()
    writer.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    writer.arguments = ["write", file.path, "\(count)", "\(pause)"]
    writer.standardOutput = output
    try writer.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    writer.waitUntilExit()
    let arrivals = observer.waitForArrivals(upTo: count)
    var (delays, commits): ([Double], [Double]) = ([], [])
    for line in text.split(separator: "\n") {
      let numbers = line.split(separator: " ").compactMap { UInt64($0) }
      commits.append(milliseconds(from: numbers[1], to: numbers[2]))
      // A commit that another overtook was delivered with it.
      guard let arrival = arrivals[Int(numbers[0])] else { continue }
      delays.append(milliseconds(from: numbers[1], to: arrival))
    }
    print("\(commits.count) commits, one each \(pause) ms; \(delays.count) arrived on their own")
    print("write block and commit in their process: \(summary(commits))")
    print("from before that to the observer's call: \(summary(delays))")
  }

  private static func milliseconds(from start: UInt64, to end: UInt64) -> Double { (Double(end) - Double(start)) / 1e6 }

  private static func summary(_ values: [Double]) -> String {
    let sorted = values.sorted()
    guard let last = sorted.last else { return "none" }
    func at(_ part: Double) -> String { String(format: "%.2f", sorted[Int(part * Double(sorted.count - 1))]) }
    return "median \(at(0.5)) ms, 99th of 100 \(at(0.99)) ms, slowest \(String(format: "%.2f", last)) ms"
  }
}
