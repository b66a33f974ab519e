import TestSupport
import Testing

@testable import LarderInspection

/// Boxes as large as what they mean.
@Suite struct TreemapTests {
  private typealias Part = SpaceReport.Part

  @Test("A treemap fills its lines exactly, whatever the parts are")
  func shape() {
    var random = SeededRandom.forTest()
    for _ in 0..<200 {
      let parts = (0..<random.int(0...12)).map { number in
        Part(
          name: random.oneIn(3) ? "クラス\(number)" : "Class\(number)", bytes: random.int(0...1 << random.int(1...20)),
          parts: (0..<random.int(0...4)).map { Part(name: "p\($0)", bytes: random.int(0...5_000)) })
      }.sorted { $0.bytes > $1.bytes }
      let root = Part(name: "store", bytes: parts.reduce(0) { $0 + $1.bytes }, parts: parts)
      let (width, height) = (random.int(20...120), random.int(4...40))
      let lines = Treemap(root, width: width, height: height, depth: random.int(1...3)).text.split(separator: "\n")
      #expect(lines.count == height)
      for line in lines { #expect(DisplayWidth.of(line) == width, "\(line)") }
    }
  }

  @Test("Parts of a treemap have their share of it, and their names where there is room")
  func shares() {
    let root = Part(
      name: "s", bytes: 1_000,
      parts: [Part(name: "Half", bytes: 500), Part(name: "Quarter", bytes: 250), Part(name: "Rest", bytes: 250)])
    let text = Treemap(root, width: 82, height: 22, depth: 1).text
    let lines = text.split(separator: "\n").map(Array.init)
    // The box of the half is the left half of what is inside the frame.
    #expect(
      String(lines[1][1...40]).hasPrefix("┌Half 500 B─") && lines[1][40] == "┐" && lines[20][40] == "┘", "\(text)")
    #expect(
      String(lines[1][41...]).hasPrefix("┌Quarter 250 B─") && String(lines[1][61...]).hasPrefix("┌Rest 250 B─"),
      "\(text)")
  }
}
