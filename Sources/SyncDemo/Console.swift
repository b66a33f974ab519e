#if Sync
  import Foundation

  /// The output of the demo.
  enum Console {
    static func line(_ text: String) {
      FileHandle.standardOutput.write(Data((text + "\n").utf8))
    }

    static func title(_ text: String) {
      line("\n\(text)\n\(String(repeating: "─", count: text.count))")
    }

    /// Prints a line of a device.
    static func line(_ text: String, of device: String) {
      line("  \(device.padding(toLength: 7, withPad: " ", startingAt: 0))│ \(text)")
    }
  }
#endif
