import Foundation
import KnotModel
import TestSupport

@testable import Larder

/// A store of knots that a second process has open as well, and random numbers of their own for each number of a case.
struct SharedKnots {
  let configuration: Realm.Configuration
  let process: WorkerProcess
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    let file = URL(fileURLWithPath: directory.file("knots.larder"))
    configuration = Realm.Configuration(fileURL: file, objectTypes: [Knot.self, KnotPart.self])
    process = try WorkerProcess("KnotWorker", [file.path])
  }

  /// Printed under the name of the test's file.
  static func random(_ number: Int, file: String = #fileID) -> SeededRandom {
    var random = SeededRandom.forTest("random(_:)", file: file)
    for _ in 0..<number { _ = random.next() }
    return random
  }
}
