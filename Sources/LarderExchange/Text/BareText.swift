/// Texts without the spaces around them.
enum BareText {
  /// A text without spaces and tabs at its ends.
  static func of(_ text: String) -> String {
    func isSpace(_ byte: UInt8?) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    guard isSpace(text.utf8.first) || isSpace(text.utf8.last) else { return text }
    return TextBytes.with(text) { $0.string($0.trimmed(0..<$0.count)) } ?? ""
  }
}
