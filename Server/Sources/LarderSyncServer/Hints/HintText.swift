/// Hints as the text of notifications: a line for each, its fields separated by tabs, which names of tenants do not have.
enum HintText {
  /// PostgreSQL takes less than 8,000 bytes.
  static let largest = 7900

  /// Texts that together have all hints.
  static func texts(_ hints: [Hint]) -> [String] {
    var texts: [String] = []
    var text = ""
    for hint in hints {
      let line = "\(hint.tenant.name)\t\(hint.part.number)\t\(hint.head)"
      if !text.isEmpty, text.utf8.count + line.utf8.count + 1 > largest {
        texts.append(text)
        text = ""
      }
      text += text.isEmpty ? line : "\n" + line
    }
    return text.isEmpty ? texts : texts + [text]
  }

  /// The hints of a text; lines that are none are left out, since any program may send to the channel.
  static func hints(_ text: String) -> [Hint] {
    text.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard fields.count == 3, let tenant = try? TenantID(String(fields[0])), let part = Int32(fields[1]),
        let head = Int64(fields[2])
      else { return nil }
      return Hint(tenant: tenant, part: PartID(part), head: head)
    }
  }
}
