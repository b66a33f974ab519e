import LarderQuery
import LarderStorage

/// Errors as a sentence or as JSON.
package enum ErrorText {
  /// Returns the error's own description, or its type where that is empty.
  package static func plain(_ error: any Error) -> String {
    let text = String(describing: error)
    return text.isEmpty ? "\(type(of: error))" : text
  }

  /// One JSON object on one line: `{"error": {"kind": …, "message": …, …}}`, with the place of the fault where there is one.
  ///
  /// - Parameter usage: What is wrong with the command line, when that is the error.
  package static func json(_ error: any Error, usage: String? = nil) -> String {
    if let usage { return object("usage", usage, []) }
    switch error {
    case let error as StorageError:
      return object(
        "\(error.code)", error.message,
        [text("path", error.path), text("class", error.className), text("property", error.property)])
    case let error as PredicateError:
      return object(
        "predicate", error.sentence,
        [
          text("text", error.text), number("position", error.position), text("found", error.found),
          text("expected", error.expected), text("suggestion", error.suggestion),
        ])
    case let error as SQLError:
      return object(
        "sql", error.message, [text("text", error.statement), number("position", error.position)])
    case let fault as InputFault:
      return object("input", fault.message, place(fault))
    case let fault as TableFault: return object("input", fault.message, fault.fields)
    case let error as InputFileError: return object("file", error.message, [text("path", error.path)])
    default: return object("failed", plain(error), [])
    }
  }

  /// File, line and column of a fault as fields.
  static func place(_ fault: InputFault) -> [(String, JSONValue?)] {
    [text("file", fault.file), number("line", fault.line), number("column", fault.column)]
  }

  private static func object(_ kind: String, _ message: String, _ fields: [(String, JSONValue?)]) -> String {
    let error = JSONValue([("kind", JSONValue(kind)), ("message", JSONValue(message))] + fields)
    return JSONValue(dictionaryLiteral: ("error", error)).text
  }

  /// A member; without a value where there is no text, or an empty one.
  private static func text(_ name: String, _ value: String?) -> (String, JSONValue?) {
    (name, value.flatMap { $0.isEmpty ? nil : JSONValue($0) })
  }

  private static func number(_ name: String, _ value: Int?) -> (String, JSONValue?) {
    (name, value.map { JSONValue($0) })
  }
}

extension InputFault {
  /// The fault as one JSON object.
  package var json: String {
    JSONValue(ErrorText.place(self) + [("message", JSONValue(message))]).text
  }
}
