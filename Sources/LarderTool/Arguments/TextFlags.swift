import ArgumentParser
import LarderExchange
import LarderInspection

/// The form of a file of text, where the file does not show it.
struct TextFlags: ParsableArguments {
  @Option(help: "jsonl, json, csv or tsv; by default the file's name tells.")
  var format: InputFormat?

  @Option(help: "The character between CSV fields; by default the first lines tell, of comma, semicolon, tab and |.")
  var separator: String?

  @Option(help: "The character around CSV fields; by default the first lines tell, of \" and '.")
  var quote: String?

  @Flag(help: "The first row of CSV holds values: its fields are field1, field2 and so on.")
  var noHeader = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How many lines come before the header of CSV.", valueName: "lines"))
  var skip = 0

  @Option(help: "The character that lines of CSV begin with which are no rows, such as #.")
  var comment: String?

  @Flag(help: "Rows of CSV with fewer fields than the header have no value in the last ones.")
  var shortRows = false

  @Flag(help: "Spaces around fields of CSV are no part of them; quotes may follow spaces.")
  var trim = false

  @Option(
    help: ArgumentHelp(
      "The fields of JSON that lead to the objects, with dots between: features in GeoJSON.", valueName: "fields"))
  var path: String?

  @Option(
    help: ArgumentHelp(
      "JSON is an object whose values are the objects; their keys go to this field.", valueName: "field"))
  var keys: String?

  @Option(
    help: "utf-8, utf-16, utf-16le, utf-16be, latin-1 or windows-1252; UTF-8, and UTF-16 with a mark, need no flag.")
  var encoding: String?

  @Flag(help: "Numbers of CSV have a comma before their decimals.")
  var decimalComma = false

  @Option(
    help: ArgumentHelp("How dates are written besides ISO 8601, such as dd.MM.yyyy HH:mm.", valueName: "pattern"))
  var dateFormat: String?

  func validate() throws {
    guard skip >= 0 else { throw ValidationError("--skip is not negative") }
    if let path, path.split(separator: ".", omittingEmptySubsequences: false).contains("") {
      throw ValidationError("--path takes names of fields with dots between them, not '\(path)'")
    }
    for (flag, text) in [("--separator", separator), ("--quote", quote), ("--comment", comment)] {
      if let text, text.utf8.count != 1 { throw ValidationError("\(flag) takes one ASCII character, not '\(text)'") }
    }
    if let quote, quote == separator { throw ValidationError("--quote and --separator cannot be the same character") }
    if let encoding, InputEncoding(name: encoding) == nil {
      let names = InputEncoding.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("--encoding: '\(encoding)' is not known; known are \(names)")
    }
    if let dateFormat {
      do { _ = try DatePattern(dateFormat) } catch { throw ValidationError("--date-format: \(error)") }
    }
  }

  var reading: InputReading {
    var reading = InputReading()
    reading.encoding = encoding.flatMap { InputEncoding(name: $0) }
    reading.separator = separator?.utf8.first
    reading.quote = quote?.utf8.first
    reading.hasHeader = !noHeader
    reading.skippedLines = skip
    reading.comment = comment?.utf8.first
    (reading.fillsShortRows, reading.trims) = (shortRows, trim)
    reading.path = path?.split(separator: ".").map(String.init) ?? []
    reading.keyField = keys
    return reading
  }

  func apply(to forms: inout TextForms) throws {
    forms.hasDecimalComma = decimalComma
    forms.datePattern = try dateFormat.map { try DatePattern($0) }
  }
}

extension InputFormat: ExpressibleByArgument {}
