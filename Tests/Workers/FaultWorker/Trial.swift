import Foundation
import LarderInspection
import LarderStorage

/// One piece of work during which one call fails, and what is to be said of it afterwards.
struct Trial: CustomStringConvertible {
  let scenario: Scenario
  let kind: CallKind
  let number: Int
  let lasts: Bool

  var description: String { "\(scenario.rawValue) \(kind) \(number) \(lasts ? "for good" : "once")" }

  /// What the store may be after each promise that was kept, from the work without any fault.
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
    result.states.append(scenario.hasStore ? try state(folder, scenario) : "none")
    try scenario.run(folder) { result.states.append((try? state(folder, scenario)) ?? "unreadable") }
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
    if let failure, !(failure is StorageError || failure is ImportError || failure is InputFileError) {
      return "wrong: untyped error \(type(of: failure)) \(failure)"
    }
    if let problem = try judge(promises, failure, expectation, folder) {
      return "wrong: \(problem); \(failure.map { "\($0)" } ?? "no error")"
    }
    return failure == nil ? "kept" : "refused"
  }

  /// What is wrong with what the work left, or nil.
  private func judge(
    _ promises: Int, _ failure: (any Error)?, _ expectation: Expectation, _ folder: String
  ) throws -> String? {
    if failure == nil, promises != expectation.states.count - 1 { return "ended early without an error" }
    let path = "\(folder)/store.larder"
    if !FileManager.default.fileExists(atPath: path) { return scenario == .create && promises == 0 ? nil : "no store" }
    // A file that was just created may have no class yet.
    let allowed = expectation.states.dropFirst(promises).prefix(2) + (scenario == .create && promises == 0 ? [""] : [])
    let found: String
    do { found = try Self.state(folder, scenario) } catch { return "cannot be opened: \(error)" }
    guard allowed.contains(found) else { return "\(promises) promises, but another state" }
    for file in [path, "\(folder)/copy.larder"] where FileManager.default.fileExists(atPath: file) {
      if file != path, scenario == .encrypt { continue }
      // Which key it has now is found out by opening it.
      if scenario == .rekey, (try? Example.open(file)) == nil { continue }
      let problems = try StoreCheck(path: file, isDeep: true).problems
      if !problems.isEmpty { return "\(file): \(problems.prefix(3))" }
    }
    if let problem = try copyProblem(promises, expectation, folder) { return problem }
    return usable(path, scenario)
  }

  private func copyProblem(_ promises: Int, _ expectation: Expectation, _ folder: String) throws -> String? {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    if let left = names.first(where: { $0.contains(".copying") }), !lasts { return "\(left) was left" }
    guard names.contains("copy.larder") else {
      return [.copy, .encrypt].contains(scenario) && promises > 0 ? "no copy" : nil
    }
    let copy = try Example.open("\(folder)/copy.larder", key: scenario == .encrypt ? Example.key : nil)
    return try Example.text(of: copy) == expectation.states[0] ? nil : "the copy is another"
  }

  /// What keeps the store from being written, or nil.
  private func usable(_ path: String, _ scenario: Scenario) -> String? {
    do {
      let store = try Self.open(path, scenario)
      let other = ClassDeclaration(name: "Other", columns: [ColumnDeclaration(name: "a", type: .int)])
      try Example.write(store) { try $0.apply([other], schemaVersion: 3) }
      return nil
    } catch {
      return "cannot be written: \(error)"
    }
  }

  /// Every value, and what the store is encrypted with where that may change.
  private static func state(_ folder: String, _ scenario: Scenario) throws -> String {
    let store = try open("\(folder)/store.larder", scenario)
    return try (store.options.encryptionKey == nil ? "" : "encrypted\n") + Example.text(of: store)
  }

  private static func open(_ path: String, _ scenario: Scenario) throws -> Store {
    do { return try Example.open(path) } catch let error as StorageError
      where error.code == .wrongKey && scenario == .rekey
    {
      return try Example.open(path, key: Example.key)
    }
  }

  private static func prepare(_ scenario: Scenario, from base: String, in folder: String) throws {
    let files = FileManager.default
    try? files.removeItem(atPath: folder)
    try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for name in ["store.larder", "items.csv"] where name != "store.larder" || scenario.hasStore {
      try files.copyItem(atPath: "\(base)/\(name)", toPath: "\(folder)/\(name)")
    }
  }
}
