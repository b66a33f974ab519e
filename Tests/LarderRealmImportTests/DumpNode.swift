import Foundation

/// A JSON value as it was written: numbers as text, keys in their order and by their bytes.
indirect enum DumpNode {
  case null
  case bool(Bool)
  case number(String)
  case string(String)
  case array([DumpNode])
  case object([(key: String, value: DumpNode)])

  subscript(key: String) -> DumpNode? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key.utf8.elementsEqual(key.utf8) }?.value
  }

  var text: String? {
    switch self {
    case .string(let text), .number(let text): text
    default: nil
    }
  }

  var elements: [DumpNode] {
    if case .array(let elements) = self { elements } else { [] }
  }

  var members: [(key: String, value: DumpNode)] {
    if case .object(let members) = self { members } else { [] }
  }

  /// The nodes of a file of one JSON value a line.
  static func lines(of path: String) throws -> [DumpNode] {
    try Data(contentsOf: URL(fileURLWithPath: path)).split(separator: UInt8(ascii: "\n")).map {
      var parser = DumpParser(bytes: Array($0))
      return try parser.value()
    }
  }
}

/// Reads the notation of the samples, which has no white space.
private struct DumpParser {
  struct Fault: Error {
    var position: Int
  }

  let bytes: [UInt8]
  private var position = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func value() throws -> DumpNode {
    switch try peek() {
    case UInt8(ascii: "{"):
      var members: [(key: String, value: DumpNode)] = []
      try sequence(until: "}") { parser in
        let key = try parser.string()
        try parser.expect(":")
        members.append((key, try parser.value()))
      }
      return .object(members)
    case UInt8(ascii: "["):
      var elements: [DumpNode] = []
      try sequence(until: "]") { elements.append(try $0.value()) }
      return .array(elements)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default:
      let digits = bytes[position...].prefix { "+-.0123456789eE".utf8.contains($0) }
      guard !digits.isEmpty else { throw Fault(position: position) }
      position += digits.count
      return .number(String(decoding: digits, as: UTF8.self))
    }
  }

  private func peek() throws -> UInt8 {
    guard position < bytes.count else { throw Fault(position: position) }
    return bytes[position]
  }

  private mutating func expect(_ character: Unicode.Scalar) throws {
    guard try peek() == UInt8(ascii: character) else { throw Fault(position: position) }
    position += 1
  }

  private mutating func word(_ text: String, _ node: DumpNode) throws -> DumpNode {
    guard bytes[position...].starts(with: text.utf8) else { throw Fault(position: position) }
    position += text.utf8.count
    return node
  }

  private mutating func sequence(until end: Unicode.Scalar, _ body: (inout DumpParser) throws -> Void) throws {
    position += 1
    guard try peek() != UInt8(ascii: end) else {
      position += 1
      return
    }
    while true {
      try body(&self)
      if try peek() == UInt8(ascii: end) { break }
      try expect(",")
    }
    position += 1
  }

  private mutating func string() throws -> String {
    let start = position
    try expect("\"")
    while try peek() != UInt8(ascii: "\"") { position += try peek() == UInt8(ascii: "\\") ? 2 : 1 }
    position += 1
    let text = Data(bytes[start..<position])
    guard let string = try JSONSerialization.jsonObject(with: text, options: .fragmentsAllowed) as? String else {
      throw Fault(position: start)
    }
    return string
  }
}
