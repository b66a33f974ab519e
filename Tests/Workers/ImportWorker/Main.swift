import Foundation
import Larder

/// A process that opens a store made of a `.realm` file: `ImportWorker OLD NEW [wait]`.
///
/// Says `importing` when it begins, and with `wait` goes on when it reads a line. In the end says `made` or `found` with the number of objects.
@main
enum ImportWorker {
  class Person: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted var email: String?
    @Persisted var age: Int
    @Persisted var score: Double
    @Persisted var active: Bool
    @Persisted var created: Date
  }

  static func main() throws {
    let arguments = CommandLine.arguments
    let waits = arguments.last == "wait"
    let (begun, made) = (Flag(), Flag())
    var configuration = Realm.Configuration(
      fileURL: URL(fileURLWithPath: arguments[2]), objectTypes: [Person.self])
    configuration.importsRealmFile = RealmFileImport(
      fileURL: URL(fileURLWithPath: arguments[1]),
      progress: { _ in
        guard begun.set() else { return }
        answer("importing")
        if waits { _ = readLine() }
      }, completion: { _ in _ = made.set() })
    let realm = try Realm(configuration: configuration)
    answer("\(made.isSet ? "made" : "found") \(realm.objects(Person.self).count)")
  }

  private static func answer(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
}

/// Something that happened, or not.
private final class Flag: @unchecked Sendable {
  // Unchecked: the process has one thread that uses it.
  private(set) var isSet = false

  /// True the first time.
  func set() -> Bool {
    defer { isSet = true }
    return !isSet
  }
}
