import Foundation
import TestBasics

@testable import LarderRealmFile

/// The files in Fixtures/realm.
enum Sample {
  static func url(_ name: String) -> URL { URL(fileURLWithPath: "\(fixtures)/realm/\(name)") }

  static func bytes(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: url(name))) }

  /// The bytes of a key, which is kept as hexadecimal digits.
  static func key(_ name: String) throws -> Data {
    let digits = try String(contentsOf: url(name), encoding: .utf8).filter(\.isHexDigit)
    return Data(
      stride(from: 0, to: digits.count, by: 2).compactMap {
        let start = digits.index(digits.startIndex, offsetBy: $0)
        return UInt8(digits[start..<digits.index(start, offsetBy: 2)], radix: 16)
      })
  }

  /// The lines of a dump.
  static func dump(_ name: String) throws -> [DumpWriter.Line] {
    let text = try String(contentsOf: url(name), encoding: .utf8)
    return try text.split(separator: "\n").map { try DumpWriter.Line(dumped: String($0)) }
  }
}

/// Returns the error that reading a file ends with; nil without one.
func failure(_ body: () throws -> Void) -> RealmFileError? {
  do {
    try body()
    return nil
  } catch {
    return error as? RealmFileError
  }
}
