import Foundation

/// The place where the program called the library, for the message of a misuse that shows only deep below (F-39).
enum CallSite {
  private typealias Place = (file: StaticString, line: UInt)

  /// For each thread: the place of the call that is under way, on that call's stack; nil where none is known.
  private static let current = ThreadPointer()

  /// Runs a call of the program's. Costs some nanoseconds.
  @inline(__always)
  static func note<Result>(_ file: StaticString, _ line: UInt, _ body: () throws -> Result) rethrows -> Result {
    guard let current else { return try body() }
    var place: Place = (file, line)
    return try withUnsafePointer(to: &place) { place in
      current.set(UnsafeMutableRawPointer(mutating: place))
      // The calls of the program's that run within others, as in its default values, leave no place to the rest of these.
      defer { current.set(nil) }
      return try body()
    }
  }

  /// A message with the place of the call, where that is known.
  static func placed(_ message: String) -> String {
    guard let current, let place = current.value?.assumingMemoryBound(to: Place.self).pointee,
      place.line > 0
    else { return message }
    return "\(place.file):\(place.line): \(message)"
  }
}
