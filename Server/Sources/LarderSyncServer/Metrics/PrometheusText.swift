/// Numbers in the text format of Prometheus. A value.
struct PrometheusText: Sendable {
  private(set) var text = ""

  mutating func gauge(_ name: String, _ help: String, _ value: Int) { add(name, "gauge", help, "\(value)") }

  mutating func counter(_ name: String, _ help: String, _ value: UInt64) { add(name, "counter", help, "\(value)") }

  /// Says what the samples after it are of.
  mutating func type(_ name: String, _ type: String) { text += "# TYPE \(Self.name(name)) \(type)\n" }

  /// One number, with the values of its labels.
  mutating func sample(_ name: String, _ labels: [(String, String)], _ value: String) {
    text += Self.name(name)
    if !labels.isEmpty {
      let list = labels.map { "\(Self.name($0.0))=\"\(Self.escaped($0.1))\"" }
      text += "{\(list.joined(separator: ","))}"
    }
    text += " \(value)\n"
  }

  private mutating func add(_ name: String, _ type: String, _ help: String, _ value: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n\(name) \(value)\n"
  }

  /// Text as a name may be: ASCII letters, digits and underscores, the first of which is no digit.
  private static func name(_ text: String) -> String {
    let name = String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    return name.first?.isNumber == false ? name : "_" + name
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }
}
