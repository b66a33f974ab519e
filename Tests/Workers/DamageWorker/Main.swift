import Foundation
import Glibc
import LarderStorage
import TestSupport

/// Damages copies of a store at random, one after the other, and says what becomes of each.
///
/// `DamageWorker STORE OLDER FOLDER SEED FIRST COUNT`: damage number n is made from SEED + n alone. OLDER is the store one commit
/// before. Each is announced by `begin n what` and ended by `end n outcome`; whoever crashes or is ended by the alarm, a hang,
/// has begun and not ended.
@main
enum DamageWorker {
  /// Seconds that one store may take.
  private static let patience: UInt32 = 60

  static func main() throws {
    let arguments = CommandLine.arguments
    let good = try Data(contentsOf: URL(fileURLWithPath: arguments[1]))
    let expected = try StoreReading(arguments[1]).text
    let older = try StoreReading(arguments[2]).text
    guard let seed = UInt64(arguments[4]), let first = Int(arguments[5]), let count = Int(arguments[6]) else { exit(2) }
    for number in first..<first + count {
      var random = SeededRandom(seed: seed &+ UInt64(number))
      var bytes = good
      let what = FileDamage.apply(to: &bytes, &random)
      say("begin \(number) \(what)")
      alarm(patience)
      let path = "\(arguments[3])/\(number).larder"
      try bytes.write(to: URL(fileURLWithPath: path))
      say("end \(number) \(Examination(path, expected: expected, older: older).outcome)")
      alarm(0)
      for file in [path, path + "-lock"] { try? FileManager.default.removeItem(atPath: file) }
    }
  }

  private static func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
}
