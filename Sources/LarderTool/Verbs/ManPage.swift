import Foundation

/// The manual page, made of what the verbs say of themselves.
struct ManPage {
  /// A command as the argument parser describes it.
  private struct Command: Decodable {
    struct Argument: Decodable {
      struct Name: Decodable {
        var kind: String
        var name: String
        var text: String { kind == "long" ? "--\(name)" : "-\(name)" }
      }

      var abstract: String?
      var isOptional: Bool
      var kind: String
      var names: [Name]?
      var valueName: String?
      var defaultValue: String?
      var shouldDisplay: Bool
    }

    var abstract: String?
    var discussion: String?
    var commandName: String
    var arguments: [Argument]?
    var subcommands: [Command]?
  }

  private struct Root: Decodable { var command: Command }

  private let root: Command

  /// - Throws: `DecodingError` when the description has another form than is known here.
  init(dump: String) throws { root = try JSONDecoder().decode(Root.self, from: Data(dump.utf8)).command }

  private var verbs: [Command] { (root.subcommands ?? []).filter { $0.commandName != "help" } }

  /// Every verb with the names of its options, as the page shows them.
  var options: [(verb: String, names: [String])] {
    verbs.map { verb in (verb.commandName, shown(verb).flatMap { $0.names ?? [] }.map(\.text)) }
  }

  /// The page in the language of man.
  var text: String {
    var page = [
      ".TH LARDER 1 \"\" \"Larder\" \"Larder\"", ".SH NAME",
      "larder \\- look into Larder stores, fill them and check them",
      ".SH SYNOPSIS", ".B larder", ".I verb", "[\\fIoptions\\fR] \\fIstore\\fR ...", ".SH DESCRIPTION",
    ]
    page += paragraphs(root.discussion ?? "")
    page.append(".SH VERBS")
    for verb in verbs { page += section(verb) }
    page += [
      ".SH ENVIRONMENT", ".TP", ".B NO_COLOR", "Without colours, also on a terminal.", ".TP", ".B LARDER_HISTORY",
      "The file that keeps the lines typed in \\fBlarder shell\\fR.", ".SH EXIT STATUS", ".TP", ".B 0",
      "All went well.",
      ".TP", ".B 1", "What was looked for was found: a problem, a difference, something lost or left out.", ".TP",
      ".B 2",
      "The command line is wrong, or does not allow what it asks for.", ".TP", ".B 3",
      "Something failed; nothing was changed.", ".TP", ".B 4",
      "A migration would lose values, and was not told that it may; nothing was changed.",
    ]
    return page.joined(separator: "\n") + "\n"
  }

  private func shown(_ command: Command) -> [Command.Argument] {
    (command.arguments ?? []).filter {
      $0.shouldDisplay && !($0.names ?? []).contains { ["help", "version"].contains($0.name) }
    }
  }

  private func section(_ verb: Command) -> [String] {
    let arguments = shown(verb).filter { $0.kind == "positional" }.map { argument in
      let name = "\\fI\(Self.escaped(argument.valueName ?? ""))\\fR"
      return argument.isOptional ? "[\(name)]" : name
    }
    var lines = [
      ".SS \(verb.commandName)",
      "\\fBlarder \(verb.commandName)\\fR [\\fIoptions\\fR] " + arguments.joined(separator: " "),
    ]
    lines += [".PP", Self.line(verb.abstract ?? "")]
    lines += paragraphs(verb.discussion ?? "")
    for argument in shown(verb) where argument.kind != "positional" {
      let names = (argument.names ?? []).map { "\\fB\(Self.escaped($0.text))\\fR" }.joined(separator: ", ")
      let value = argument.kind == "option" ? " \\fI\(Self.escaped(argument.valueName ?? "value"))\\fR" : ""
      let preset = argument.defaultValue.map { " (without it: \($0))" } ?? ""
      lines += [".TP", names + value, Self.line((argument.abstract ?? "") + preset)]
    }
    return lines
  }

  /// Paragraphs of running text; lines that are indented, as examples are, stay as they are.
  private func paragraphs(_ text: String) -> [String] {
    var lines: [String] = []
    var isExample = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let isIndented = line.hasPrefix(" ")
      if isIndented != isExample { lines.append(isIndented ? ".PP\n.nf" : ".fi") }
      isExample = isIndented
      if line.isEmpty {
        lines.append(".PP")
      } else if line == "EXAMPLE" {
        lines += [".PP", ".B Examples"]
      } else {
        lines.append(Self.line(String(line)))
      }
    }
    return (lines.isEmpty ? [] : [".PP"]) + lines + (isExample ? [".fi"] : [])
  }

  /// A line that man does not take for a request.
  private static func line(_ text: String) -> String {
    let text = escaped(text)
    return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&\(text)" : text
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
  }
}
