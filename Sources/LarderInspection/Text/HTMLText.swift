import LarderExchange

/// HTML pages that need nothing besides themselves: no script, no other file, colours for light and dark.
package enum HTMLText {
  /// A text within an element or an attribute; what turns lines around or controls a terminal is made visible.
  package static func escaped(_ text: String) -> String {
    var result = ""
    for character in VisibleText.line(text).unicodeScalars {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(character)
      }
    }
    return result
  }

  /// The beginning of a page.
  package static func head(_ title: String) -> String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>\(escaped(title))</title>
    <style>
    :root { color-scheme: light dark; }
    body { font: 14px/1.4 system-ui, sans-serif; margin: 2em; }
    table { border-collapse: collapse; margin: 1em 0; }
    th, td { border-bottom: 1px solid #8888; padding: .25em .75em; text-align: left; vertical-align: top; }
    td { white-space: pre-wrap; }
    .n { text-align: right; font-variant-numeric: tabular-nums; }
    </style>
    </head>
    <body>
    <h1>\(escaped(title))</h1>

    """
  }

  /// The end of a page.
  package static let foot = "</body>\n</html>\n"

  /// A row of a table; numbers have their class.
  static func row(_ cells: [String], numeric: [Bool], isHead: Bool = false) -> String {
    let name = isHead ? "th" : "td"
    let parts = zip(cells, numeric).map { cell, isNumeric in
      "<\(name)\(isHead ? " scope=\"col\"" : "")\(isNumeric ? " class=\"n\"" : "")>\(escaped(cell))</\(name)>"
    }
    return "<tr>" + parts.joined() + "</tr>\n"
  }
}
