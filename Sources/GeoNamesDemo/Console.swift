import Foundation

/// The output of the demo.
enum Console {
  static func line(_ text: String) {
    FileHandle.standardOutput.write(Data((text + "\n").utf8))
  }

  static func title(_ text: String) {
    line("\n\(text)\n\(String(repeating: "─", count: text.count))")
  }

  static func query(_ text: String, count: Int) {
    line("  \(text): \(count) \(count == 1 ? "city" : "cities")")
  }

  static func city(_ city: City, names limit: Int = 0) {
    var text = "    \(city.name), \(city.country?.name ?? "?"): \(grouped(city.population)) people"
    if let location = city.location { text += " at \(location.latitude), \(location.longitude)" }
    line(text)
    guard limit > 0 else { return }
    let names = city.alternateNames.suffix(limit).joined(separator: " · ")
    line("    \(city.alternateNames.count) names, among them \(names)")
  }

  /// A number with commas.
  static func grouped(_ number: Int) -> String {
    var digits = String(number)
    var groups: [String] = []
    while digits.count > 3 {
      groups.insert(String(digits.suffix(3)), at: 0)
      digits.removeLast(3)
    }
    return ([digits] + groups).joined(separator: ",")
  }

  /// Seconds since a moment, with two digits.
  static func seconds(since begin: DispatchTime) -> String {
    String(format: "%.2f s", Double(DispatchTime.now().uptimeNanoseconds - begin.uptimeNanoseconds) / 1e9)
  }
}
