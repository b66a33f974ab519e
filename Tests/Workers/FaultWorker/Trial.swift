import Foundation
import LarderExchange
import LarderInspection
import LarderStorage

/// One piece of work during which one call fails, and what is to be said of it afterwards.
struct Trial: CustomStringConvertible {
  let scenario: Scenario
  let kind: CallKind
  let number: Int
  let lasts: Bool

  var description: String { "\(scenario.rawValue) \(kind) \(number) \(lasts ? "for good" : "once")" }

  /// The states that the store may have after each promise that was kept, from the work without any fault.
  struct Expectation {
    /// Every value, after 0, 1, 2 and so on promises.
    var states: [String] = []
    var calls: [CallKind: Int] = [:]
  }

  /// Does the work without a fault, twice: once to count calls, once to see every state.
  static func expectation(_ scenario: Scenario, from base: String, in folder: String) throws -> Expectation {
    var result = Expectation()
    try prepare(scenario, from: base, in: folder)
    result.calls = try Faults.counting { try scenario.run(folder) {} }
    try prepare(scenario, from: base, in: folder)
    result.states.append(try state(folder))
    try scenario.run(folder) { result.states.append((try? state(folder)) ?? "unreadable") }
    return result
  }

  /// Every trial of all scenarios.
  static func all(_ expectations: [Scenario: Expectation]) -> [Trial] {
    Scenario.allCases.flatMap { scenario in
      CallKind.allCases.flatMap { kind in
        (0..<(expectations[scenario]?.calls[kind] ?? 0)).flatMap { number in
          [false, true].map { Trial(scenario: scenario, kind: kind, number: number + 1, lasts: $0) }
        }
      }
    }
  }

  /// Runs it: "kept" when the work was done in spite of the fault, "refused" when it ended with a typed error and the store is right,
  /// otherwise what is wrong.
  func run(_ expectation: Expectation, from base: String, in folder: String) throws -> String {
    try Self.prepare(scenario, from: base, in: folder)
    var promises = 0
    var failure: (any Error)?
    Faults.arm(kind, number: number, lasts: lasts)
    do { try scenario.run(folder) { promises += 1 } } catch { failure = error }
    Faults.disarm()
    // Other threads may let go of it a moment later; what never does is a hang.
    while Self.isStillOpen("\(folder)/store.larder") { sched_yield() }
    if let failure, !Self.isTyped(failure) {
      return "wrong: untyped error \(type(of: failure)) \(failure)"
    }
    do {
      if let problem = try judge(promises, failure, expectation, folder) {
        return "wrong: \(problem); \(failure.map { "\($0)" } ?? "no error")"
      }
    } catch {
      return "wrong: what is left cannot be looked at: \(error); \(failure.map { "\($0)" } ?? "no error")"
    }
    return failure == nil ? "kept" : "refused"
  }

  /// True if another thread has not closed the store yet.
  private static func isStillOpen(_ path: String) -> Bool {
    guard !Store.isOpen(path) else { return true }
    do {
      _ = try StoreAccess.open(reading: path)
      return false
    } catch {
      return (error as? StorageError)?.code == .alreadyOpen
    }
  }

  private static func isTyped(_ error: any Error) -> Bool {
    error is StorageError || error is ImportError || error is InputFileError || error is DumpError
      || error is RepairError || RealmWork.isTyped(error)
  }

  /// Returns what is wrong with the files that the work left, or nil.
  private func judge(
    _ promises: Int, _ failure: (any Error)?, _ expectation: Expectation, _ folder: String
  ) throws -> String? {
    if failure == nil, promises != expectation.states.count - 1 { return "ended early without an error" }
    // A file that was just created may have no class yet.
    let makesFile = scenario == .create || scenario == .realmCommit
    let allowed = expectation.states.dropFirst(promises).prefix(2) + (makesFile && promises == 0 ? [""] : [])
    let found: String
    do { found = try Self.state(folder) } catch { return "cannot be opened: \(error)" }
    guard allowed.contains(found) else { return "\(promises) promises, but another state" }
    if let problem = try copyProblem(promises, failure != nil, expectation, folder) { return problem }
    let path = "\(folder)/store.larder"
    guard found != Self.none else { return nil }
    return try unsound(path) ?? usable(path)
  }

  private func copyProblem(
    _ promises: Int, _ failed: Bool, _ expectation: Expectation, _ folder: String
  ) throws -> String? {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    // What cannot be removed stays.
    if kind != .remove, !lasts, let left = names.first(where: { $0.contains(".copying") }) { return "\(left) was left" }
    // What cannot be removed stays here, too.
    if failed, promises == 0, kind != .remove, names.contains("copy.larder") {
      return "the copy is there after an error"
    }
    guard names.contains("copy.larder") else { return scenario.makesCopy && promises > 0 ? "no copy" : nil }
    let path = "\(folder)/copy.larder"
    if let problem = try unsound(path) { return problem }
    let (copy, key) = try Self.open(path)
    let isEncrypted = scenario == .encrypt || scenario == .encryptedCopy
    guard (key != nil) == isEncrypted else { return "the copy has \(key == nil ? "no" : "a") key" }
    let original = expectation.states[0]
    return original.hasSuffix(try Example.text(of: copy)) ? nil : "the copy is another"
  }

  /// Returns what the deep check finds, or nil.
  private func unsound(_ path: String) throws -> String? {
    Example.setKey(try Self.open(path).1)
    defer { Example.setKey(nil) }
    let problems = try StoreCheck(path: path, isDeep: true).problems
    return problems.isEmpty ? nil : "\(path): \(problems.prefix(3))"
  }

  /// Returns the reason that the store cannot be written, or nil.
  private func usable(_ path: String) -> String? {
    do {
      let store = try Self.open(path).0
      let other = ClassDeclaration(name: "Other", columns: [ColumnDeclaration(name: "a", type: .int)])
      try Example.write(store) { try $0.apply([other], schemaVersion: 3) }
      return nil
    } catch {
      return "cannot be written: \(error)"
    }
  }

  private static let none = "none"

  /// Every value, after what the store is encrypted with; "none" when there is no store.
  private static func state(_ folder: String) throws -> String {
    let path = "\(folder)/store.larder"
    guard FileManager.default.fileExists(atPath: path) else { return none }
    let (store, key) = try open(path)
    let name = key == nil ? "" : key == Example.key ? "encrypted\n" : "encrypted otherwise\n"
    return try name + Example.text(of: store)
  }

  /// Opens a store, and tells which key it has.
  private static func open(_ path: String) throws -> (Store, EncryptionKey?) {
    // Where the work still has it open, with all that it said.
    if let options = Store.openOptions(path) {
      return (try Store.open(path: path, options: options), options.encryptionKey)
    }
    for key in [nil, Example.key] {
      do { return (try Example.open(path, key: key), key) } catch let error as StorageError
        where error.code == .wrongKey
      {
        continue
      }
    }
    return (try Example.open(path, key: Example.otherKey), Example.otherKey)
  }

  private static func prepare(_ scenario: Scenario, from base: String, in folder: String) throws {
    let files = FileManager.default
    try? files.removeItem(atPath: folder)
    try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
    func copy(_ name: String, _ target: String) throws {
      try files.copyItem(atPath: "\(base)/\(name)", toPath: "\(folder)/\(target)")
    }
    for name in ["items.csv", "items.jsonl"] { try copy(name, name) }
    if scenario.hasStore { try copy(scenario.isEncrypted ? "encrypted.larder" : "store.larder", "store.larder") }
    if scenario == .realmSeed { try copy("store.larder", "seed.larder") }
  }
}
