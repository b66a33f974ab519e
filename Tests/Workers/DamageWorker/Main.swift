import Foundation
import Glibc
import LarderExchange
import LarderInspection
import LarderStorage
import TestSupport

/// Damages copies of a store, one after the other, and says what becomes of each.
///
/// `DamageWorker random|crafted STORE OLDER FOLDER SEED FIRST COUNT`: damage number n is made from SEED + n alone. OLDER is the store one
/// commit before. Each is announced by `begin n what` and ended by `end n outcome`; a worker that crashes or is ended by a limit has begun and
/// not ended. An encrypted store's key is in the environment, as the tool has it.
@main
enum DamageWorker {
  static func main() throws {
    let arguments = CommandLine.arguments
    StoreAccess.keySource = KeySource(environment: ProcessInfo.processInfo.environment)
    let good = try Data(contentsOf: URL(fileURLWithPath: arguments[2]))
    let expected = try StoreReading(arguments[2]).text
    let older = try StoreReading(arguments[3]).text
    let crafted = arguments[1] == "crafted" ? try CraftedDamage(arguments[2]) : nil
    guard let seed = UInt64(arguments[5]), let first = Int(arguments[6]), let count = Int(arguments[7]) else { exit(2) }
    Limits.setMemory()
    for number in first..<first + count {
      var random = SeededRandom(seed: seed &+ UInt64(number))
      let path = "\(arguments[4])/\(number).larder"
      let what: String
      if let crafted {
        try good.write(to: URL(fileURLWithPath: path))
        what = try crafted.apply(to: path, &random)
      } else {
        var bytes = good
        what = FileDamage.apply(to: &bytes, &random)
        try bytes.write(to: URL(fileURLWithPath: path))
      }
      say("begin \(number) \(what)")
      Limits.startClock()
      say("end \(number) \(Examination(path, expected: expected, older: older).outcome)")
      Limits.stopClock()
      for file in [path, path + "-lock"] { try? FileManager.default.removeItem(atPath: file) }
    }
  }

  private static func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
}
