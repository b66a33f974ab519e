import Foundation

/// The memory that the program has taken from the allocator and not given back: memory that grows shows here long before the process takes
/// more, since the allocator first uses what it has.
enum Heap {
  /// KiB in use; 0 where the C library does not tell.
  static var usedKiB: Int {
    #if os(Linux)
      // Declared in <malloc.h>, which the module of the C library leaves out.
      guard let symbol = dlsym(nil, "malloc_info") else { return 0 }
      let tell = unsafeBitCast(symbol, to: (@convention(c) (Int32, UnsafeMutablePointer<FILE>?) -> Int32).self)
      var text: UnsafeMutablePointer<CChar>?
      var length = 0
      guard let stream = open_memstream(&text, &length) else { return 0 }
      let isTold = tell(0, stream) == 0
      fclose(stream)
      defer { free(text) }
      guard isTold, let text else { return 0 }
      return used(String(cString: text)) / 1024
    #else
      return 0
    #endif
  }

  /// The sums of all arenas come last.
  private static func used(_ text: String) -> Int {
    func size(_ mark: String) -> Int {
      guard let line = text.split(separator: "\n").last(where: { $0.contains(mark) }),
        let value = line.range(of: "size=\"").map({ line[$0.upperBound...].prefix { $0.isNumber } })
      else { return 0 }
      return Int(value) ?? 0
    }
    return size("<system type=\"current\"") + size("<total type=\"mmap\"") - size("<total type=\"fast\"")
      - size("<total type=\"rest\"")
  }
}
