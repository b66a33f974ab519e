import TestBasics

/// One step of a history. What is random in it comes from its own seed, so that leaving out others does not change it.
struct HistoryStep: CustomStringConvertible {
  enum Kind: String, CaseIterable {
    case edit, connect, disconnect, upload, receive, send, deliver, lateUpload, crashBefore, crashAfter, subscribe,
      rules,
      clock
    case trim, recover, discard, backup, restore, serverBackup, serverRestore
  }

  var kind: Kind
  var device: Int
  var seed: UInt64

  var description: String { "\(kind.rawValue) \(device) \(seed)" }

  /// Everyday steps by how often they come.
  private static let everyday: [(Kind, Int)] = [
    (.edit, 24), (.connect, 6), (.disconnect, 2), (.upload, 12), (.receive, 12), (.send, 14), (.deliver, 18),
    (.lateUpload, 2), (.crashBefore, 1), (.crashAfter, 1), (.subscribe, 2), (.rules, 1), (.clock, 1),
  ]
  private static let disasters: [(Kind, Int)] = [
    (.trim, 2), (.recover, 1), (.discard, 1), (.backup, 4), (.restore, 3), (.lateUpload, 3), (.serverBackup, 1),
    (.serverRestore, 1),
  ]

  static func random(_ random: inout SeededRandom, devices: Int, isDisaster: Bool) -> HistoryStep {
    let choices = isDisaster ? everyday + disasters : everyday
    var rest = random.int(0..<choices.reduce(0) { $0 + $1.1 })
    let kind = choices.first { choice in
      rest -= choice.1
      return rest < 0
    }!.0
    return HistoryStep(kind: kind, device: random.int(0..<devices), seed: random.next() >> 40)
  }
}

/// The kind of histories that are made.
enum HistoryKind: String, CaseIterable {
  case everyday, lists, disaster, listDisaster

  var isDisaster: Bool { self == .disaster || self == .listDisaster }
  var isListHeavy: Bool { self == .lists || self == .listDisaster }
}
