#if Sync
  import Foundation

  /// What the demo prints.
  enum Console {
    static func line(_ text: String) {
      FileHandle.standardOutput.write(Data((text + "\n").utf8))
    }

    static func title(_ text: String) {
      line("\n\(text)\n\(String(repeating: "─", count: text.count))")
    }

    /// What a device says.
    static func line(_ text: String, of device: String) {
      line("  \(device.padding(toLength: 7, withPad: " ", startingAt: 0))│ \(text)")
    }
  }
#endif
