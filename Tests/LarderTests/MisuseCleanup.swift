@_spi(Testing) @testable import Larder

/// Exit tests end by misuse, which skips what is done at a normal exit: the process's stores would stay in memory.
enum MisuseCleanup {
  static let installed: Void = {
    misuseHandler = { text in
      MemoryFolder.removeAtExit()
      fatalError(text)
    }
  }()
}
