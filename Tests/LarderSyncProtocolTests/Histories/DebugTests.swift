@testable import LarderSyncProtocol
import Foundation
import TestSupport
import Testing

@Suite struct DebugTests {
  @Test func debug() throws {
    let env = ProcessInfo.processInfo.environment
    guard let text = env["DBG"] else { return }
    let parts = text.split(separator: ";").map(String.init)
    let head = parts[0].split(separator: " ").map(String.init)
    var history = History(kind: HistoryKind(rawValue: head[0])!, devices: Int(head[1])!, research: [])
    do {
      if head.count > 2 { try history.begin() }
      for part in parts[1...] {
        let p = part.split(separator: " ").map(String.init)
        try history.run(HistoryStep(kind: HistoryStep.Kind(rawValue: p[0])!, device: Int(p[1])!, seed: UInt64(p[2])!))
      }
      try history.settle()
    } catch { print("FAIL", error) }
    for entry in history.server.history {
      print(
        "v\(entry.merged.version) site \(entry.merged.site.low).\(entry.merged.siteVersion) t\(entry.merged.time.rawValue)"
      )
      for (i, op) in history.devices.flatMap({ $0.device.replica.pending.commits }).first(where: {
        $0.nonce == entry.merged.nonce
      })!.operations.enumerated() { print("  op", op.object.key, op.edit, "=>", entry.merged.results[i]) }
      for o in entry.merged.objects {
        print("   obj", o.object.key, o.deltas, o.changesAll, o.columns.count, o.authorNeedsAll)
      }
      for (n, s) in entry.states { print("   state", n.key, s.properties().map { "\($0.name)=\($0.value.short)" }) }
    }
  }
}
