import LarderQuery
import LarderStorage

/// Called instead of ending the process when the library is used wrongly; for test harnesses only.
///
/// It is called before anything is locked or changed. It must not return.
@_spi(Testing) public nonisolated(unsafe) var misuseHandler: ((String) -> Never)?

/// The one place where misuse ends. Arguments are checked before anything is locked or changed (E-0b).
@usableFromInline
package func misuse(_ message: @autoclosure () -> String) -> Never {
  let text = CallSite.placed(message())
  if let misuseHandler { misuseHandler(text) }
  fatalError(text)
}

/// The plain face of a core that throws: an error ends the process with its message (E-130).
@inline(__always)
package func orMisuse<Result>(_ body: () throws -> Result) -> Result {
  do {
    return try body()
  } catch {
    misuse("\(error)")
  }
}

/// The throwing face of a core: whatever is thrown below becomes a `Realm.Error` with the same message (E-130).
@inline(__always)
package func orRealmError<Result>(path: String? = nil, _ body: () throws -> Result) throws(Realm.Error) -> Result {
  do {
    return try body()
  } catch {
    throw Realm.Error(error, path: path)
  }
}
